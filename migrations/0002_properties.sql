-- Properties and the dated records tied to them.

create extension if not exists pg_trgm;

-- A parcel, or a home known only through a listing.
create table property (
  id                       text primary key,
  market                   text not null,
  city                     text not null,
  city_slug                text not null,
  address                  text not null,
  -- Normalised for matching and search: upper case, USPS abbreviations, unit kept at the end.
  address_key              text not null,
  county                   text,
  apn                      text,
  -- County and digits: "san-mateo:012345678".
  apn_key                  text unique,
  lat                      double precision check (lat between -90 and 90),
  lng                      double precision check (lng between -180 and 180),
  property_type            text,
  living_sqft              double precision check (living_sqft > 0),
  lot_sqft                 double precision check (lot_sqft > 0),
  beds                     double precision check (beds >= 0),
  baths                    double precision check (baths >= 0),
  year_built               integer,
  year_renovated           integer,
  storeys                  double precision,
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
  updated_at               timestamptz not null default now()
);
create index property_by_city on property (market, city_slug);
create index property_by_address on property (city_slug, address_key);
create index property_address_search on property using gin (address_key gin_trgm_ops);
create index property_by_source on property (source_id, source_record_id);

create table listing (
  source_id           text not null references source (id) on delete cascade,
  listing_id          text not null,
  property_id         text not null references property (id) on delete cascade,
  match_method        text not null check (match_method in ('apn', 'address', 'none')),
  match_confidence    text not null check (match_confidence in ('high', 'medium', 'low')),
  market              text not null,
  city_slug           text not null,
  status              text not null check (status in ('active', 'coming_soon', 'pending', 'sold', 'withdrawn')),
  raw_status          text,
  price_usd           double precision check (price_usd > 0),
  original_price_usd  double precision check (original_price_usd > 0),
  listed_on           date,
  pending_on          date,
  sold_on             date,
  sold_price_usd      double precision check (sold_price_usd > 0),
  property_type       text,
  living_sqft         double precision,
  lot_sqft            double precision,
  beds                double precision,
  baths               double precision,
  year_built          integer,
  year_renovated      integer,
  lat                 double precision,
  lng                 double precision,
  remarks             text,
  photo_urls          text[],
  vision_analysis     text,
  -- The property's most recent listing: the one a signal shows. Kept by the loader.
  current             boolean not null default false,
  -- Copied from the assessment in its transaction, so that ranked pages walk one index.
  rank_score          double precision,
  source_url          text,
  collected_at        timestamptz not null,
  raw                 jsonb,
  updated_at          timestamptz not null default now(),
  primary key (source_id, listing_id)
);
create unique index listing_current on listing (property_id) where current;
create index listing_by_property on listing (property_id, listed_on desc);
create index listing_ranked on listing (market, rank_score desc nulls last, property_id)
  where current and status in ('active', 'coming_soon', 'pending', 'sold');

create table sale (
  source_id         text not null references source (id) on delete cascade,
  sale_id           text not null,
  property_id       text references property (id) on delete set null,
  match_method      text not null check (match_method in ('apn', 'address', 'none')),
  match_confidence  text not null check (match_confidence in ('high', 'medium', 'low')),
  market            text not null,
  city              text not null,
  city_slug         text not null,
  address           text,
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
  lat               double precision,
  lng               double precision,
  source_url        text,
  collected_at      timestamptz not null,
  raw               jsonb,
  updated_at        timestamptz not null default now(),
  primary key (source_id, sale_id)
);
create index sale_by_market on sale (market, sold_on);
create index sale_by_property on sale (property_id, sold_on desc);

create table permit (
  -- Permit numbers repeat between cities, never within one.
  city_slug         text not null,
  permit_id         text not null,
  source_id         text not null references source (id) on delete cascade,
  market            text not null,
  city              text not null,
  property_id       text references property (id) on delete set null,
  match_method      text not null check (match_method in ('apn', 'address', 'none')),
  match_confidence  text not null check (match_confidence in ('high', 'medium', 'low')),
  apn               text,
  address           text,
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
  raw               jsonb,
  updated_at        timestamptz not null default now(),
  -- The six searchable fields, a line each, so that a word never matches across two of them.
  search            text generated always as (
    lower(coalesce(address, '') || chr(10) || coalesce(project_type, '') || chr(10) || coalesce(description, '')
      || chr(10) || coalesce(contractor, '') || chr(10) || coalesce(architect, '') || chr(10) || permit_id)
  ) stored,
  primary key (city_slug, permit_id)
);
create index permit_newest on permit (issued_on desc, permit_id, city_slug) where issued_on is not null;
create index permit_newest_by_city on permit (city_slug, issued_on desc, permit_id) where issued_on is not null;
create index permit_search on permit using gin (search gin_trgm_ops) where issued_on is not null;
create index permit_by_property on permit (property_id, issued_on desc);
create index permit_by_valuation on permit (valuation_usd) where issued_on is not null and valuation_usd is not null;
create index permit_by_source on permit (source_id);
