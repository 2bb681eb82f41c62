create table assessment (
  market                text not null,
  property_id           text not null,
  city_slug             text not null,
  model_version         text not null,
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
  comps                 json,
  explanation           json,
  sb9_status            text check (sb9_status in ('eligible', 'likely', 'unknown_zone', 'blocked')),
  sb9_max_units         integer,
  sb9_blocked           boolean,
  sb9                   json,
  adu_score             double precision,
  adu_blocked           boolean,
  adu                   json,
  redevelopment_score   double precision,
  redevelopment_class   text check (redevelopment_class in ('teardown_candidate', 'expansion', 'vacant_lot')),
  redevelopment_blocked boolean,
  redevelopment         json,
  foreign key (market, property_id) references property (market, id) on delete cascade
);
-- Findings are stored and served as a whole. Writing json costs the server half as much as jsonb. Compression would save a third of
-- the space and make writes two fifths more expensive.
alter table assessment
  alter column explanation set storage external,
  alter column comps set storage external,
  alter column sb9 set storage external,
  alter column adu set storage external,
  alter column redevelopment set storage external;
-- Scored leads are found from the index alone: the rows contain every finding and are wide.
create index assessment_adu on assessment (market, adu_score desc, property_id) include (city_slug, adu_blocked)
  where adu_score is not null;
create index assessment_redevelopment on assessment (market, redevelopment_score desc, property_id)
  include (city_slug, redevelopment_class, redevelopment_blocked) where redevelopment_score is not null;
create index assessment_by_city on assessment (market, city_slug) where proforma is not null;
-- Added last, as in 0001_properties.sql.
alter table assessment add primary key (market, property_id);
comment on table assessment is 'Everything computed about one property at one time. A row changes only when its content does.';
comment on column assessment.content_hash is 'Hash of everything served. A row with the same hash is not written again.';
comment on column assessment.rank_score is 'Lists are sorted by it.';
comment on column assessment.bidding_war is 'The bidding war predictor, as served.';
comment on column assessment.developer_roi is 'Return in percent, adjusted toward the market average.';
comment on column assessment.proforma is 'The pro forma of building a new house.';
comment on column assessment.value_low_usd is 'Low end of the value range.';
comment on column assessment.value_high_usd is 'High end of the value range.';
comment on column assessment.comps is 'The comparable sales behind the value.';
comment on column assessment.explanation is 'Each score with its parts and reasons.';
comment on column assessment.sb9 is 'The SB 9 finding.';
comment on column assessment.sb9_blocked is 'True if the finding has at least one reason that blocks a lot split.';
comment on column assessment.adu is 'The ADU finding.';
comment on column assessment.redevelopment is 'The redevelopment finding.';

create table assessment_history (
  market              text not null,
  property_id         text not null,
  changed_at          timestamptz not null,
  teardown_score      integer,
  flippability_score  integer,
  previous            jsonb,
  reason              text not null,
  model_version       text not null,
  primary key (market, property_id, changed_at),
  foreign key (market, property_id) references property (market, id) on delete cascade
);
comment on table assessment_history is 'Changes of the served scores.';
comment on column assessment_history.previous is 'The scores before the change.';
