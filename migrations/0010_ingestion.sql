-- What matching needs to remember, what a run left out, and which properties wait to be assessed again.

alter table ingest_run
  add column rows_inserted integer not null default 0,
  -- Single values left out of rows otherwise taken, by reason, with their count.
  add column left_out jsonb not null default '{}',
  add column not_modified boolean not null default false;

-- The keys a record was matched by, so that it can be matched again when a parcel arrives after it.
alter table listing
  add column city text,
  add column address text,
  add column address_key text,
  add column apn text,
  add column apn_key text;
alter table sale
  add column apn text,
  add column address_key text,
  add column apn_key text;
alter table permit
  add column address_key text,
  add column apn_key text,
  -- When permit.created was written for it: once, for ever.
  add column announced_at timestamptz;

-- Properties whose facts or records changed since they were last assessed. The assessor takes them off.
create table touched_property (
  property_id  text primary key,
  market       text not null,
  touched_at   timestamptz not null default now()
);
create index touched_property_by_market on touched_property (market, touched_at);
