create table source (
  id          text primary key,
  kind        text not null,
  holds       text not null check (holds in ('parcels', 'listings', 'sales', 'permits')),
  market      text,
  title       text not null,
  url         text,
  license     text,
  schedule    text,
  sample      boolean not null default false,
  config      jsonb not null,
  created_at  timestamptz not null default now()
);
comment on table source is 'A configured data feed.';
comment on column source.kind is 'Reader of the feed: csv, socrata, arcgis, and so on.';
comment on column source.market is 'Null if the rows of the feed belong to several markets.';
comment on column source.url is 'Public address of the feed, without credentials. Null for a local file.';
comment on column source.schedule is 'Cron expression.';
comment on column source.sample is 'Generated sample data. Removed when the first real source is loaded.';
comment on column source.config is 'The configuration the last run used.';

create table ingest_run (
  id             bigint generated always as identity primary key,
  source_id      text not null references source (id) on delete cascade,
  state          text not null check (state in ('running', 'completed', 'failed')),
  first_load     boolean not null,
  started_at     timestamptz not null default now(),
  finished_at    timestamptz,
  rows_read      integer not null default 0,
  rows_loaded    integer not null default 0,
  rows_inserted  integer not null default 0,
  rows_changed   integer not null default 0,
  rows_rejected  integer not null default 0,
  rows_removed   integer not null default 0,
  rows_returned  integer not null default 0,
  left_out       jsonb not null default '{}',
  not_modified   boolean not null default false,
  etag           text,
  last_modified  text,
  high_water     text,
  filled         jsonb,
  error          text
);
create index ingest_run_by_source on ingest_run (source_id, started_at desc);
comment on table ingest_run is 'One execution of an ingest: a source read, checked and loaded.';
comment on column ingest_run.first_load is 'The first load of a source is a backfill and emits no event.';
comment on column ingest_run.rows_loaded is 'Rows accepted, changed or not.';
comment on column ingest_run.rows_changed is 'Rows inserted or updated.';
comment on column ingest_run.rows_rejected is 'Rows not loaded, each kept in rejected_row with its reason.';
comment on column ingest_run.rows_removed is 'Rows that the complete feed no longer contains.';
comment on column ingest_run.rows_returned is 'Rows marked as removed earlier that the feed contains again.';
comment on column ingest_run.left_out is 'Values left out of rows that were loaded: reason to count.';
comment on column ingest_run.not_modified is 'The source answered that nothing changed since the previous run.';
comment on column ingest_run.etag is 'HTTP ETag of the feed, sent by the next run.';
comment on column ingest_run.last_modified is 'HTTP Last-Modified of the feed, sent by the next run.';
comment on column ingest_run.high_water is 'Position at which an incremental read continues.';
comment on column ingest_run.filled is 'Rows accepted, and how many of them have a value in each field. The next run is compared with it.';

create table rejected_row (
  run_id      bigint not null references ingest_run (id) on delete cascade,
  row_number  integer not null,
  code        text not null,
  reason      text not null,
  record_id   text,
  raw         jsonb not null,
  primary key (run_id, row_number)
);
comment on table rejected_row is 'A feed row that was not loaded, with its reason.';
comment on column rejected_row.code is 'Stable name of the reason.';
comment on column rejected_row.record_id is 'The id of the record, if it can be read. A rejected row does not count as removed.';

create table source_file (
  file        text primary key,
  problem     text not null,
  found_at    timestamptz not null default now()
);
comment on table source_file is 'Source files that cannot be used, with the reason. The service runs without them.';
comment on column source_file.file is 'File name within the folder of sources.';
comment on column source_file.found_at is 'When the problem was first found.';

create table source_pause (
  source_id  text primary key,
  paused_at  timestamptz not null default now()
);
comment on table source_pause is 'Sources that are not loaded on their schedule until they are resumed.';
