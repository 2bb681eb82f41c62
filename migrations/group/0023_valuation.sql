create table valuation (
  market     text not null,
  valued_on  date not null,
  version    text not null,
  counts     jsonb not null,
  facts      bytea not null,
  primary key (market)
);
comment on table valuation is 'What a market is assessed with until its next valuation, once a month: the facts of its models and the value model.';
comment on column valuation.version is 'Version of the code that wrote it. Another version values the market again.';
comment on column valuation.counts is 'Records by data set. When they have changed much, the market is valued again.';
comment on column valuation.facts is 'Serialized by V8 and compressed.';
comment on column assessment.market_heat_index is 'No longer written: the index is read from market_heat.';
