create table event (
  id          text primary key,
  txid        xid8 not null default pg_current_xact_id(),
  seq         bigint generated always as identity,
  position    bigint unique,
  type        text not null,
  market      text not null,
  body        text not null,
  created_at  timestamptz not null default now()
);
create sequence event_position;
create index event_unplaced on event (txid, seq) where position is null;
create index event_by_age on event using brin (created_at) with (pages_per_range = 16);
comment on table event is 'The outbox: written in the transaction that changed the data.';
comment on column event.txid is 'Transaction that wrote the event.';
comment on column event.seq is 'Order of the events of one transaction.';
comment on column event.position is 'Position in the event feed, assigned after the transaction has committed. Numbers assigned while writing would become visible out of order.';
comment on column event.body is 'The exact bytes that are signed and sent.';

create table webhook_endpoint (
  id                text primary key,
  key_id            text not null references api_key (id) on delete cascade,
  url               text not null,
  events            text[] not null check (cardinality(events) > 0),
  secret            bytea not null,
  previous_secret   bytea,
  previous_until    timestamptz,
  created_at        timestamptz not null default now(),
  failing_since     timestamptz,
  disabled_at       timestamptz,
  disabled_reason   text,
  unique (key_id, url)
);
comment on table webhook_endpoint is 'An address that receives events.';
comment on column webhook_endpoint.events is 'The event types it receives.';
comment on column webhook_endpoint.secret is 'Signing secret, encrypted with SECRET_KEY.';
comment on column webhook_endpoint.previous_secret is 'The secret before the last rotation, encrypted. Also used for signing until previous_until.';
comment on column webhook_endpoint.failing_since is 'Time of the first failed attempt since the last success.';

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
  delivered_at     timestamptz,
  note             text
) with (fillfactor = 80);
create index delivery_by_endpoint on delivery (endpoint_id, created_at desc);
-- A thousand deliveries per second are written and looked up by age once a day. A BRIN index costs almost nothing to maintain.
create index delivery_by_age on delivery using brin (created_at) with (pages_per_range = 16);
create index delivery_waiting on delivery (next_attempt_at) where state = 'waiting';
comment on table delivery is 'The delivery of one event to one endpoint.';
comment on column delivery.event_id is 'Not a foreign key: events are deleted before deliveries.';
comment on column delivery.body is 'The bytes to send, copied from the event.';
comment on column delivery.note is 'Why a delivery was discarded.';

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
comment on table delivery_attempt is 'One HTTP request of a delivery.';
comment on column delivery_attempt.status is 'HTTP status. Null if no response arrived.';
comment on column delivery_attempt.response is 'The beginning of the response body.';
