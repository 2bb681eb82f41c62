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

alter table ingest_run add column filled jsonb;
comment on column ingest_run.filled is 'Rows accepted, and how many of them have a value in each field. The next run is compared with it.';
