-- What changed, and when: history, events and watches read it.
create table listing_change (
  market              text not null,
  source_id           text not null,
  listing_id          text not null,
  changed_at          timestamptz not null,
  changed_on          date not null,
  property_id         text not null,
  price_usd           double precision,
  status              text not null,
  previous_price_usd  double precision,
  previous_status     text,
  announced_at        timestamptz,
  primary key (market, source_id, listing_id, changed_at),
  foreign key (market, source_id, listing_id) references listing (market, source_id, listing_id) on delete cascade
);
create index listing_change_of_property on listing_change (market, property_id, changed_on);
create index listing_change_not_announced on listing_change (market, property_id) where announced_at is null;
comment on table listing_change is 'New listings and changes of price and status, written by the run that loads them. A first load writes none.';
comment on column listing_change.changed_on is 'The day the feed gives for the new status, otherwise the day of the run.';
comment on column listing_change.previous_status is 'Null for a new listing.';
comment on column listing_change.announced_at is 'When its event was written, after the home was assessed. Null until then.';

create table permit_change (
  market           text not null,
  city_slug        text not null,
  permit_id        text not null,
  changed_at       timestamptz not null,
  changed_on       date not null,
  property_id      text,
  status           text not null,
  previous_status  text not null,
  primary key (market, city_slug, permit_id, changed_at),
  foreign key (market, city_slug, permit_id) references permit (market, city_slug, permit_id) on delete cascade
);
create index permit_change_of_property on permit_change (market, property_id, changed_on);
comment on table permit_change is 'Changes of the normalized status of permits, written by the run that loads them.';
comment on column permit_change.changed_on is 'The day the feed gives for the new status, otherwise the day of the run.';

create table announced_score (
  market              text not null,
  property_id         text not null,
  teardown_score      double precision,
  flippability_score  double precision,
  leads               text[] not null,
  primary key (market, property_id),
  foreign key (market, property_id) references assessment (market, property_id) on delete cascade
);
comment on table announced_score is 'What the next score of a property is compared with. Without a row, its stored scores and leads.';
comment on column announced_score.teardown_score is 'The score last announced, not rounded. A silent change moves it.';
comment on column announced_score.leads is 'The kinds of leads that the property has reached at some time.';

create table value_change (
  market          text not null,
  property_id     text not null,
  changed_at      timestamptz not null,
  changed_on      date not null,
  value_usd       double precision,
  value_low_usd   double precision,
  value_high_usd  double precision,
  return_pct      double precision,
  previous_value_usd   double precision,
  previous_return_pct  double precision,
  moved           jsonb not null,
  primary key (market, property_id, changed_at),
  foreign key (market, property_id) references property (market, id) on delete cascade
);
comment on table value_change is 'Value and return of a property, one row when either has changed noticeably since the row before.';
comment on column value_change.previous_value_usd is 'Of the row before, or of the assessment before if there was none.';
comment on column value_change.moved is 'The inputs that changed, with their old and new values.';
