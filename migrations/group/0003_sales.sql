create table sale (
  market            text not null,
  source_id         text not null references source (id) on delete cascade,
  sale_id           text not null,
  property_id       text,
  match_method      text not null check (match_method in ('apn', 'address', 'none')),
  match_confidence  text not null check (match_confidence in ('high', 'medium', 'low')),
  state             text not null,
  city              text not null,
  city_slug         text not null,
  address           text,
  address_key       text,
  apn               text,
  apn_key           text,
  sold_on           date not null,
  price_usd         double precision not null check (price_usd > 0),
  list_price_usd    double precision check (list_price_usd > 0),
  listed_on         date,
  days_on_market    integer check (days_on_market >= 0),
  property_type     text,
  living_sqft       double precision,
  lot_sqft          double precision,
  beds              double precision,
  baths             double precision,
  year_built        integer,
  year_renovated    integer,
  stories           double precision,
  lat               double precision,
  lng               double precision,
  remarks           text,
  source_url        text,
  collected_at      timestamptz not null,
  raw               jsonb,
  removed_at        timestamptz,
  updated_at        timestamptz not null default now(),
  foreign key (market, property_id) references property (market, id)
);
create index sale_by_day on sale (market, sold_on);
create index sale_by_property on sale (market, property_id, sold_on desc);
create index sale_removed on sale (market, source_id) where removed_at is not null;
-- Added last, as in 0001_properties.sql.
alter table sale add primary key (market, source_id, sale_id);
comment on table sale is 'A recorded transfer with a price.';
comment on column sale.property_id is 'Null until a property matches.';
comment on column sale.match_method is 'How the property was found.';
comment on column sale.state is 'Two letters, upper case.';
comment on column sale.address_key is 'The normalized address it is matched by.';
comment on column sale.apn_key is 'The parcel number it is matched by, with state and county.';
comment on column sale.days_on_market is 'From listing to accepted offer.';
comment on column sale.remarks is 'The text of the listing that led to the sale, where the source has it.';
comment on column sale.raw is 'The feed row as it was read.';
comment on column sale.removed_at is 'When a complete feed first no longer contained it.';
