-- What each use of a lot could bear, for every assessed property, and the best of them for searches.
alter table assessment add column uses jsonb;
comment on column assessment.uses is 'At the market''s assumptions: what each scheme could bear, the best one, and the prices that they follow from.';

alter table property_search add column best_scheme text;
alter table property_search add column best_homes double precision;
alter table property_search add column best_offer double precision;
alter table property_search add column room_usd double precision;
alter table property_search add column room_low double precision;
comment on column property_search.best_scheme is 'The scheme that could bear most for the lot, among those that nobody may refuse.';
comment on column property_search.room_usd is 'best_offer less the price to beat: the expected price, else the asking price, else the value and what an owner wants above it.';
comment on column property_search.room_low is 'The same in the low case: less the upper end of that price.';
