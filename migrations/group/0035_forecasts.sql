create table forecast (
  market         text not null,
  property_id    text not null,
  model          text not null check (model in ('value', 'bidding-war', 'teardown')),
  made_on        date not null,
  listing_id     text,
  value_usd      double precision,
  low_usd        double precision,
  high_usd       double precision,
  probability    double precision,
  model_version  text not null,
  primary key (market, property_id, model, made_on),
  foreign key (market, property_id) references property (market, id) on delete cascade
);
create index forecast_by_day on forecast (market, made_on);
comment on table forecast is 'What the models said about a home before its sale. Scored against the first sale after it.';
comment on column forecast.made_on is 'The day the home was assessed for.';
comment on column forecast.listing_id is 'The listing that was on the market. Null for a home that was not listed.';
comment on column forecast.probability is 'Of a bidding war, or of a teardown. Null for a value.';
