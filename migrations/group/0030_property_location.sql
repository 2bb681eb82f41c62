-- online
-- Finds the parcels nearest to a point.
create index concurrently if not exists property_location on property using gist (point(lng, lat))
  where lat is not null and lng is not null;
