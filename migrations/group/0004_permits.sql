create table permit (
  market            text not null,
  city_slug         text not null,
  permit_id         text not null,
  source_id         text not null references source (id) on delete cascade,
  property_id       text,
  match_method      text not null check (match_method in ('apn', 'address', 'none')),
  match_confidence  text not null check (match_confidence in ('high', 'medium', 'low')),
  state             text not null,
  city              text not null,
  address           text,
  address_key       text,
  other_addresses   text[],
  other_address_keys text[],
  apn               text,
  apn_key           text,
  project_type      text,
  description       text,
  valuation_usd     double precision check (valuation_usd > 0),
  raw_valuation     text,
  sqft              double precision check (sqft > 0),
  contractor        text,
  architect         text,
  applied_on        date,
  issued_on         date,
  finaled_on        date,
  status            text not null check (status in
    ('applied', 'in_review', 'approved', 'issued', 'inspections', 'finaled', 'expired', 'cancelled', 'unknown')),
  raw_status        text,
  permit_class      text not null,
  class_words       text[] not null default '{}',
  lat               double precision,
  lng               double precision,
  source_url        text,
  collected_at      timestamptz not null,
  announced_at      timestamptz,
  raw               jsonb,
  removed_at        timestamptz,
  updated_at        timestamptz not null default now(),
  foreign key (market, property_id) references property (market, id)
);
create index permit_by_property on permit (market, property_id, issued_on desc);
create index permit_by_other_address on permit using gin (other_address_keys) where other_address_keys is not null;
create index permit_other_address_search on permit using gin (address_list(other_address_keys) gin_trgm_ops)
  where other_address_keys is not null;
create index permit_by_source on permit (market, source_id);
create index permit_address_search on permit using gin (address_key gin_trgm_ops);
create index permit_removed on permit (market, source_id) where removed_at is not null;
-- Added last, as in 0001_properties.sql.
alter table permit add primary key (market, city_slug, permit_id);
comment on table permit is 'A building permit.';
comment on column permit.other_addresses is 'Further addresses of the permit, for feeds with one row per address.';
comment on column permit.other_address_keys is 'The same addresses, normalized; properties with one of them show the permit too.';
comment on column permit.permit_id is 'The city''s number. Numbers repeat between cities, never within one.';
comment on column permit.source_id is 'The source that recorded the permit first. Another source takes the permit over only when the first no longer contains it.';
comment on column permit.property_id is 'Null until a property matches.';
comment on column permit.match_method is 'How the property was found.';
comment on column permit.state is 'Two letters, upper case.';
comment on column permit.address_key is 'The normalized address it is matched by.';
comment on column permit.apn_key is 'The parcel number it is matched by, with state and county.';
comment on column permit.valuation_usd is 'Null where the city''s figure is a placeholder.';
comment on column permit.raw_valuation is 'The valuation as the source writes it.';
comment on column permit.raw_status is 'The status as the source writes it.';
comment on column permit.permit_class is 'Kind of work, determined from project type and description.';
comment on column permit.class_words is 'The words that decided the class.';
comment on column permit.announced_at is 'When permit.created was emitted for it, once.';
comment on column permit.raw is 'The feed row as it was read.';
comment on column permit.removed_at is 'When a complete feed first no longer contained it.';
