-- online
-- Lists that read a whole table without these when few rows match: by use, zoning, bedrooms, bathrooms, and sales by living area.
create index concurrently if not exists property_search_uses on property_search using gin (lower(allows) gin_trgm_ops);
create index concurrently if not exists property_search_zoning on property_search (market, lower(zoning), property_id);
create index concurrently if not exists property_search_beds on property_search (market, beds desc nulls last, property_id);
create index concurrently if not exists property_search_baths on property_search (market, baths desc nulls last, property_id);
create index concurrently if not exists sale_search_sqft on sale_search (market, sqft);
-- The lots of a use, most homes first. Not of the kinds that every search row is joined with: before the first statistics, the planner
-- would take this index for that join and read all leads of the kind for each row.
create index concurrently if not exists lead_most_homes on lead (market, kind, max_units desc nulls last, property_id)
  where best and kind not in ('lot_split', 'accessory_unit');
