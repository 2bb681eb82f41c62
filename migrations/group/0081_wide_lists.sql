-- online
-- Parcels in the order of their list, also those without a score: a page of a frequent kind is read in this order, not sorted. The lists
-- of leads by redevelopment score read the same indexes.
create index concurrently if not exists property_search_parcels on property_search (market, redevelopment_score desc nulls last, property_id)
  include (redevelopment_class, redevelopment_blocked) where not removed;
drop index concurrently if exists property_search_redevelopment;
create index concurrently if not exists property_search_parcels_city
  on property_search (market, city_slug, redevelopment_score desc nulls last, property_id)
  include (redevelopment_class, redevelopment_blocked) where not removed;
drop index concurrently if exists property_search_redevelopment_city;
-- Homes with an overlay that few have.
create index concurrently if not exists property_search_overlays on property_search using gin (overlays_yes);
