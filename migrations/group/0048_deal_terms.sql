-- The cost of a new house depends on its stories and the slope of the lot, so that returns at own assumptions need both. ADU leads are
-- sorted by what the best unit adds beyond its cost.
alter table property_search add column adu_gain_usd double precision;
comment on column property_search.deal is 'Existing sq ft, 1 if the lot is vacant, built sq ft, resale per sq ft, weight of its own return, mean return of the market, expected price, stories of the new house, slope in percent.';
