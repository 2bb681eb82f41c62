-- Where data comes from, and every run that brought it in.

create table source (
  id          text primary key,
  kind        text not null,
  holds       text not null check (holds in ('parcels', 'listings', 'sales', 'permits')),
  market      text,
  title       text not null,
  url         text,
  licence     text,
  schedule    text,
  sample      boolean not null default false,
  config      jsonb not null,
  created_at  timestamptz not null default now()
);

create table ingest_run (
  id             bigint generated always as identity primary key,
  source_id      text not null references source (id) on delete cascade,
  state          text not null check (state in ('running', 'completed', 'failed')),
  -- A first load of a source is a backfill: it emits no event.
  first_load     boolean not null,
  started_at     timestamptz not null default now(),
  finished_at    timestamptz,
  rows_read      integer not null default 0,
  rows_loaded    integer not null default 0,
  rows_changed   integer not null default 0,
  rows_refused   integer not null default 0,
  -- What the next run needs to ask only for what is new.
  etag           text,
  last_modified  text,
  high_water     text,
  content_hash   text,
  error          text
);
create index ingest_run_by_source on ingest_run (source_id, started_at desc);

-- A refused row is kept whole, with the reason, so that nothing is lost.
create table refused_row (
  run_id      bigint not null references ingest_run (id) on delete cascade,
  row_number  integer not null,
  code        text not null,
  reason      text not null,
  raw         jsonb not null,
  primary key (run_id, row_number)
);
