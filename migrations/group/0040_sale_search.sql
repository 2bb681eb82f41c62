-- online
-- Recorded sales by city and by area, newest first.
create index concurrently if not exists sale_by_city on sale (market, city_slug, sold_on desc);
create index concurrently if not exists sale_location on sale using gist (point(lng, lat))
  where lat is not null and lng is not null;
