create table market_series (
  market     text not null,
  city_slug  text not null,
  zip        text not null,
  length     text not null check (length in ('month', 'quarter', 'year')),
  period     date not null,
  n          integer not null,
  partial    boolean not null,
  suppressed boolean not null,
  figures    jsonb not null,
  updated_at timestamptz not null,
  primary key (market, city_slug, zip, length, period)
);
comment on table market_series is 'Figures of a market, a city or a ZIP code by month, quarter and year, as served.';
comment on column market_series.city_slug is 'Empty for the whole market and for a ZIP code.';
comment on column market_series.zip is 'Empty for the whole market and for a city.';
comment on column market_series.period is 'Its first day.';
comment on column market_series.n is 'Sales in the period.';
comment on column market_series.suppressed is 'Figures of a small group are left out.';
comment on column market_series.figures is 'Metric to value. A metric that is not known or withheld is missing.';
