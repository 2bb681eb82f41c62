-- What the intelligence made of the facts. A row changes only when its content does.

create table assessment (
  property_id           text primary key references property (id) on delete cascade,
  market                text not null,
  city_slug             text not null,
  model_version         text not null,
  -- Hash of everything served: equal hash, nothing to write.
  content_hash          text not null,
  assessed_at           timestamptz not null,
  teardown_score        double precision,
  flippability_score    double precision,
  condition_score       double precision,
  historic_charm        double precision,
  rank_score            double precision,
  market_heat_index     double precision,
  bidding_war           double precision,
  developer_roi         double precision,
  proforma              jsonb,
  value_usd             double precision,
  value_low_usd         double precision,
  value_high_usd        double precision,
  recent_sales_count    integer,
  avg_price_per_sqft    double precision,
  comps                 jsonb,
  explanation           jsonb,
  sb9_status            text check (sb9_status in ('eligible', 'likely', 'blocked')),
  sb9_max_units         integer,
  sb9                   jsonb,
  adu_score             double precision,
  adu_blocked           boolean,
  adu                   jsonb,
  redevelopment_score   double precision,
  redevelopment_class   text check (redevelopment_class in ('teardown_candidate', 'expansion')),
  redevelopment_blocked boolean,
  redevelopment         jsonb
);
create index assessment_adu on assessment (market, adu_score desc, property_id) where adu_score is not null;
create index assessment_redevelopment on assessment (market, redevelopment_score desc, property_id)
  where redevelopment_score is not null;

create table assessment_history (
  property_id         text not null references property (id) on delete cascade,
  changed_at          timestamptz not null,
  teardown_score      integer,
  flippability_score  integer,
  previous            jsonb,
  reason              text not null,
  model_version       text not null,
  primary key (property_id, changed_at)
);

create table market_heat (
  market         text not null,
  -- Empty for the whole market.
  city_slug      text not null,
  property_type  text not null,
  as_of          date not null,
  heat_index     double precision,
  parts          jsonb not null,
  sales          integer not null,
  primary key (market, city_slug, property_type, as_of)
);

-- Fitted models, newest per name and market in use.
create table model (
  name       text not null,
  market     text not null,
  version    text not null,
  fitted_at  timestamptz not null,
  body       jsonb not null,
  primary key (name, market, version)
);

-- Measured accuracy, as served by GET /v1/accuracy.
create table accuracy (
  name           text not null,
  market         text not null,
  measured_at    timestamptz not null,
  data           text not null,
  model_version  text not null,
  measures       jsonb not null,
  primary key (name, market, measured_at)
);

create table assess_run (
  id           bigint generated always as identity primary key,
  market       text not null,
  scope        text not null check (scope in ('market', 'properties')),
  state        text not null check (state in ('running', 'completed', 'failed')),
  started_at   timestamptz not null default now(),
  finished_at  timestamptz,
  considered   integer not null default 0,
  changed      integer not null default 0,
  error        text
);
