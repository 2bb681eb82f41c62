create table export (
  id               text primary key,
  key_id           text not null references api_key (id) on delete cascade,
  state            text not null check (state in ('queued', 'running', 'ready', 'failed')),
  request          jsonb not null,
  list             text,
  idempotency_key  text,
  created_at       timestamptz not null,
  attempt          integer not null default 0,
  claimed_rows     integer not null,
  rows             integer not null default 0,
  withheld         integer not null default 0,
  bytes            bigint,
  sha256           text,
  since            date,
  snapshot_at      timestamptz,
  expires_at       timestamptz,
  error            text
);
create index export_by_key on export (key_id, created_at desc);
comment on table export is 'A bulk export of a key. Its file is in export_piece.';
comment on column export.request is 'Kind, criteria, sort, fields and format.';
comment on column export.list is 'The CSV to look up, for an export of POST /v1/lookup/batch.';
comment on column export.attempt is 'How often the job was started. A job that was interrupted starts again with new pieces.';
comment on column export.claimed_rows is 'Rows counted when it was requested, taken from the daily allowance of the mailbox.';
comment on column export.withheld is 'Rows left out because their source does not permit exports.';
comment on column export.since is 'Start of the history window of the rows. Null if they have the full history.';
comment on column export.expires_at is 'The file can be read until then.';

create table export_piece (
  export_id  text not null references export (id) on delete cascade,
  attempt    integer not null,
  piece      integer not null,
  content    bytea not null,
  primary key (export_id, attempt, piece)
);
comment on table export_piece is 'The file of an export in pieces of 1 MiB, compressed with zstd.';
