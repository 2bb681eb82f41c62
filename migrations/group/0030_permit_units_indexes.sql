-- online
-- For `issued=false`, the number of permits not issued in every answer, and `minUnitsAdded`.
create index concurrently if not exists permit_search_not_issued on permit_search (applied_on desc nulls last, permit_id, city_slug)
  include (market, status, permit_class, valuation_usd) where issued_on is null;
create index concurrently if not exists permit_search_units on permit_search (units) where units > 0;
