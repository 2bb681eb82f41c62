-- online
create index concurrently if not exists permit_search_zip on permit_search (market, zip, issued_on desc, permit_id, city_slug) where zip is not null;
