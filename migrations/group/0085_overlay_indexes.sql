-- online
-- Homes with an overlay, a small part of all, and what is recorded of a home. Not with overlays_yes <> '{}': the planner knows its share,
-- and would multiply it with that of the overlay.
create index concurrently if not exists property_search_present on property_search (market, property_id)
  include (overlays_yes, status) where cardinality(overlays_yes) > 0;
create index concurrently if not exists permit_search_home on permit_search (market, property_id) where property_id is not null;
create index concurrently if not exists sale_search_home on sale_search (market, property_id) where property_id is not null;
-- All listings by rank, as before, with what an exact total of those with or without an overlay counts.
create index concurrently if not exists property_search_listings on property_search (market, rank_score desc nulls last, property_id)
  include (status, overlays_yes) where status is not null;
drop index concurrently if exists property_search_ranked;
