create table market_heat (
  market         text not null,
  city_slug      text not null,
  property_type  text not null,
  as_of          date not null,
  heat_index     double precision,
  parts          jsonb not null,
  sales          integer not null,
  primary key (market, city_slug, property_type, as_of)
);
comment on table market_heat is 'The heat index of a city by month.';
comment on column market_heat.city_slug is 'Empty for the whole market.';
comment on column market_heat.parts is 'The measures that make up the index.';

create table model (
  market     text not null,
  name       text not null,
  version    text not null,
  fitted_at  timestamptz not null,
  body       jsonb not null,
  primary key (market, name, version)
);
comment on table model is 'Fitted models. The newest of a name and market is used.';
comment on column model.body is 'The coefficients.';

create table accuracy (
  market         text not null,
  name           text not null,
  measured_at    timestamptz not null,
  data           text not null,
  model_version  text not null,
  measures       jsonb not null,
  primary key (market, name, measured_at)
);
comment on table accuracy is 'Measured accuracy of the models, as served by GET /v1/accuracy.';
comment on column accuracy.data is 'The data it was measured on: sample or real.';
comment on column accuracy.measures is 'Measure name to value.';
