-- The outbox, and webhook endpoints with their deliveries.

create table event (
  id          text primary key,
  -- Transaction and position in it. Readers take only transactions older than every open one,
  -- so a slow transaction is never skipped.
  txid        xid8 not null default pg_current_xact_id(),
  seq         bigint generated always as identity,
  type        text not null,
  market      text not null,
  -- The exact bytes that are signed and sent.
  body        text not null,
  created_at  timestamptz not null default now()
);
create index event_in_commit_order on event (txid, seq);
create index event_by_age on event (created_at);

create table webhook_endpoint (
  id                text primary key,
  key_id            text not null references api_key (id) on delete cascade,
  url               text not null,
  events            text[] not null check (cardinality(events) > 0),
  -- Sealed with SECRET_KEY.
  secret            bytea not null,
  previous_secret   bytea,
  previous_until    timestamptz,
  created_at        timestamptz not null default now(),
  failing_since     timestamptz,
  disabled_at       timestamptz,
  disabled_reason   text,
  unique (key_id, url)
);

create table delivery (
  id               text primary key,
  endpoint_id      text not null references webhook_endpoint (id) on delete cascade,
  event_id         text not null,
  event_type       text not null,
  body             text not null,
  state            text not null check (state in ('waiting', 'delivered', 'failed', 'discarded')),
  attempts         integer not null default 0,
  created_at       timestamptz not null default now(),
  next_attempt_at  timestamptz,
  delivered_at     timestamptz
);
create index delivery_by_endpoint on delivery (endpoint_id, created_at desc);
create index delivery_by_age on delivery (created_at);

create table delivery_attempt (
  delivery_id   text not null references delivery (id) on delete cascade,
  attempt       integer not null,
  started_at    timestamptz not null,
  duration_ms   integer not null,
  status        integer,
  error         text,
  response      text,
  primary key (delivery_id, attempt)
);
