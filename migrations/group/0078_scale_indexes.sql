-- online
-- Lists that read a whole table without these. Permit timelines and builders read only their index.
create index concurrently if not exists permit_search_timeline
  on permit_search (market, city_slug, (greatest(applied_on, issued_on, finaled_on)))
  include (permit_class, status, applied_on, issued_on, finaled_on, valuation_usd);
create index concurrently if not exists permit_search_by_builder on permit_search (market, builder_key)
  include (issued_on, finaled_on, units, valuation_usd, city_slug, permit_class) where builder_key is not null;
drop index concurrently if exists permit_search_builder;
create index concurrently if not exists permit_search_applied on permit_search (market, applied_on);
create index concurrently if not exists permit_search_finaled on permit_search (market, finaled_on);
-- Parcels, and homes that are not for sale, by ZIP code and by the numbers that are filtered and ordered most. Bounds are compared as
-- double precision. Unknown values are last in both directions, so each direction has its index.
create index concurrently if not exists property_search_any_zip on property_search (market, zip);
create index concurrently if not exists property_search_newest on property_search (market, (year_built::double precision) desc nulls last, property_id);
create index concurrently if not exists property_search_oldest on property_search (market, (year_built::double precision), property_id);
create index concurrently if not exists property_search_largest_lot on property_search (market, lot_size desc nulls last, property_id);
create index concurrently if not exists property_search_smallest_lot on property_search (market, lot_size, property_id);
create index concurrently if not exists property_search_sqft on property_search (market, sqft desc nulls last, property_id);
create index concurrently if not exists property_search_teardown on property_search (market, teardown_score desc nulls last, property_id);
create index concurrently if not exists sale_search_year on sale_search (market, (year_built::double precision));
-- Coverage counts the combinations of overlays, which are few.
create index concurrently if not exists property_overlays on property (market, overlays) where removed_at is null;
