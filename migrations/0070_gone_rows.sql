-- Rows that a complete feed no longer holds: kept, marked with the time, unmarked when they come back.

alter table property add column gone_at timestamptz;
alter table listing add column gone_at timestamptz;
alter table sale add column gone_at timestamptz;
alter table permit add column gone_at timestamptz;

-- Few rows ever are: what is marked is found, and found to be nothing, without reading the table.
create index property_gone on property (source_id) where gone_at is not null;
create index listing_gone on listing (source_id) where gone_at is not null;
create index sale_gone on sale (source_id) where gone_at is not null;
create index permit_gone on permit (source_id) where gone_at is not null;

alter table ingest_run
  add column rows_gone integer not null default 0,
  add column rows_returned integer not null default 0;

-- The id a refused row bears, where it can be read: refused is not gone.
alter table refused_row add column record_id text;
