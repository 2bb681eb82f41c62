create table listing (
  market              text not null,
  source_id           text not null references source (id) on delete cascade,
  listing_id          text not null,
  property_id         text not null,
  match_method        text not null check (match_method in ('apn', 'address', 'none')),
  match_confidence    text not null check (match_confidence in ('high', 'medium', 'low')),
  state               text not null,
  city                text,
  city_slug           text not null,
  address             text,
  address_key         text,
  apn                 text,
  apn_key             text,
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
  stories             double precision,
  lat                 double precision,
  lng                 double precision,
  remarks             text,
  photo_urls          text[],
  listing_url         text,
  vision_analysis     text,
  current             boolean not null default false,
  rank_score          double precision,
  sb9_status          text,
  sb9_max_units       integer,
  sb9_blocked         boolean,
  source_url          text,
  collected_at        timestamptz not null,
  raw                 jsonb,
  removed_at          timestamptz,
  updated_at          timestamptz not null default now(),
  foreign key (market, property_id) references property (market, id) on delete cascade
);
create unique index listing_current on listing (market, property_id) where current;
create index listing_by_property on listing (market, property_id, listed_on desc);
create index listing_ranked on listing (market, rank_score desc nulls last, property_id)
  where current and status in ('active', 'coming_soon', 'pending', 'sold');
create index listing_sb9 on listing (market, sb9_status, sb9_max_units desc nulls last, property_id)
  include (city_slug, sb9_blocked)
  where current and status in ('active', 'coming_soon', 'pending') and sb9_status is not null;
create index listing_removed on listing (market, source_id) where removed_at is not null;
-- Added last, as in 0001_properties.sql.
alter table listing add primary key (market, source_id, listing_id);
comment on table listing is 'An offer to sell a property.';
comment on column listing.match_method is 'How the property was found. None: the property was created from this listing.';
comment on column listing.state is 'Two letters, upper case.';
comment on column listing.address_key is 'The normalized address it is matched by.';
comment on column listing.apn_key is 'The parcel number it is matched by, with state and county.';
comment on column listing.raw_status is 'The status as the source writes it.';
comment on column listing.listing_url is 'The page of the listing: https, without credentials.';
comment on column listing.vision_analysis is 'The description of the photos in the feed.';
comment on column listing.current is 'The property''s most recent listing, which a signal shows. Exactly one per property.';
comment on column listing.rank_score is 'Copied from the assessment in its transaction, so that a ranked page reads one index.';
comment on column listing.sb9_status is 'Copied from the assessment.';
comment on column listing.sb9_max_units is 'Copied from the assessment.';
comment on column listing.sb9_blocked is 'Copied from the assessment.';
comment on column listing.raw is 'The feed row as it was read.';
comment on column listing.removed_at is 'When a complete feed first no longer contained it.';

create table listing_photo_grade (
  market      text not null,
  source_id   text not null,
  listing_id  text not null,
  photo_urls  text[] not null,
  condition   text not null check (condition in ('C1', 'C2', 'C3', 'C4', 'C5', 'C6')),
  analysis    text not null,
  model       text not null,
  graded_at   timestamptz not null default now(),
  primary key (market, source_id, listing_id),
  foreign key (market, source_id, listing_id) references listing (market, source_id, listing_id) on delete cascade
);
comment on table listing_photo_grade is 'The vision model''s grade of a listing. A separate table, so that the next run of the feed does not overwrite it.';
comment on column listing_photo_grade.photo_urls is 'The photos that were graded. If the listing has other photos, it is graded again.';
comment on column listing_photo_grade.condition is 'Fannie Mae condition rating, C1 (new) to C6.';
comment on column listing_photo_grade.analysis is 'The description of the photos by the model.';
comment on column listing_photo_grade.model is 'Name of the vision model.';
