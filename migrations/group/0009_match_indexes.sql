-- online
-- Records that came before their parcel are found by parcel number or address when the parcel is loaded. Without these indexes a
-- feed of a hundred parcels reads every permit and sale of the market.
create index concurrently if not exists permit_by_apn on permit (market, apn_key) where apn_key is not null;
create index concurrently if not exists permit_unmatched on permit (market, city_slug, address_key) where property_id is null;
create index concurrently if not exists sale_by_apn on sale (market, apn_key) where apn_key is not null;
create index concurrently if not exists sale_unmatched on sale (market, city_slug, address_key) where property_id is null;
create index concurrently if not exists listing_by_apn on listing (market, apn_key) where apn_key is not null;
