create table property (
  market                   text not null,
  id                       text not null,
  state                    text not null,
  city                     text not null,
  city_slug                text not null,
  address                  text not null,
  address_key              text not null,
  county                   text,
  apn                      text,
  apn_key                  text,
  lat                      double precision check (lat between -90 and 90),
  lng                      double precision check (lng between -180 and 180),
  property_type            text,
  living_sqft              double precision check (living_sqft > 0),
  lot_sqft                 double precision check (lot_sqft > 0),
  beds                     double precision check (beds >= 0),
  baths                    double precision check (baths >= 0),
  year_built               integer,
  year_renovated           integer,
  stories                  double precision,
  lot_width_ft             double precision check (lot_width_ft > 0),
  lot_depth_ft             double precision check (lot_depth_ft > 0),
  corner_lot               boolean,
  slope_pct                double precision,
  garage_sqft              double precision,
  units                    integer,
  fireplaces               integer,
  zoning                   text,
  assessed_land_usd        double precision,
  assessed_improvement_usd double precision,
  overlays                 jsonb not null default '{}',
  known_from               text not null check (known_from in ('parcel', 'listing')),
  source_id                text references source (id) on delete cascade,
  source_record_id         text,
  source_url               text,
  collected_at             timestamptz,
  raw                      jsonb,
  removed_at               timestamptz,
  updated_at               timestamptz not null default now(),
  unique (market, apn_key)
);
create index property_by_city on property (market, city_slug);
create index property_by_address on property (market, city_slug, address_key);
create index property_address_search on property using gin (address_key gin_trgm_ops);
create index property_location on property using gist (point(lng, lat)) where lat is not null and lng is not null;
create index property_by_source on property (market, source_id);
-- Few rows are removed. The index finds them without reading the table.
create index property_removed on property (market, id) include (source_id) where removed_at is not null;
-- Added last: while a table has no statistics, the planner sees equal costs for all indexes that begin with market and uses the
-- newest. With any other index, every foreign key check of a first load would read the whole market.
alter table property add primary key (market, id);
comment on table property is 'A parcel with its buildings, or a home known only through a listing.';
comment on column property.id is 'Never changes. Begins with the number of the market.';
comment on column property.state is 'Two letters, upper case.';
comment on column property.city_slug is 'Unique across all markets.';
comment on column property.address_key is 'The address normalized for matching: upper case, USPS abbreviations, the unit last.';
comment on column property.apn is 'Assessor''s parcel number as the source writes it.';
comment on column property.apn_key is 'State, county and number: ca:san-mateo:012345678.';
comment on column property.overlays is 'Overlay name to yes, no or unknown. A missing name is unknown.';
comment on column property.known_from is 'A home known only through a listing becomes a parcel, with the same id, when its parcel is loaded.';
comment on column property.source_record_id is 'The record''s id in its source.';
comment on column property.raw is 'The feed row as it was read.';
comment on column property.removed_at is 'When a complete feed first no longer contained it.';

create table touched_property (
  market       text not null,
  property_id  text not null,
  touched_at   timestamptz not null,
  primary key (market, property_id)
);
create index touched_property_by_age on touched_property (market, touched_at);
comment on table touched_property is 'Properties whose facts or records changed since they were assessed. The assessor deletes them.';
