-- online
create index concurrently if not exists permit_search_builder on permit_search (market, builder_key) where builder_key is not null;
