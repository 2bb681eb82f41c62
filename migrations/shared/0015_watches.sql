-- What a key watches, and the changes that met it. A watch passes to the key that replaces its key.
create table watch (
  id          text primary key,
  key_id      text not null references api_key (id) on delete cascade,
  mailbox     text not null,
  name        text not null check (length(name) between 1 and 80),
  kind        text not null check (kind in ('listings', 'parcels', 'permits')),
  criteria    jsonb not null,
  markets     text[],
  cities      text[],
  triggers    text[] not null check (cardinality(triggers) > 0),
  cadence     text not null check (cadence in ('instant', 'daily', 'weekly')),
  endpoints   text[] not null,
  note        text check (length(note) <= 2000),
  saved_home  boolean not null,
  paused_at   timestamptz,
  created_at  timestamptz not null,
  updated_at  timestamptz not null
);
create index watch_by_key on watch (key_id, created_at);
create index watch_by_mailbox on watch (mailbox);
comment on table watch is 'Criteria of a key; changes that meet them are announced.';
comment on column watch.mailbox is 'Hash of the normalized mailbox of the key, which watches are counted by.';
comment on column watch.markets is 'The markets of the criteria; null for all.';
comment on column watch.cities is 'The cities of the criteria, which a run selects watches by; null for any.';
comment on column watch.triggers is 'The changes that are announced: entered, left, price, status, score, permit.';
comment on column watch.endpoints is 'Webhook endpoints of the key that receive watch.matched.';
comment on column watch.saved_home is 'One home without a channel, which is counted apart.';

create table watch_match (
  id            text primary key,
  watch_id      text not null references watch (id) on delete cascade,
  market        text not null,
  record        text not null,
  property_id   text,
  permit_id     text,
  address       text,
  triggers      text[] not null,
  before        jsonb,
  after         jsonb not null,
  changed_at    timestamptz not null,
  announced_at  timestamptz
);
create unique index watch_match_pending on watch_match (watch_id, record) where announced_at is null;
create index watch_match_announced on watch_match (watch_id, announced_at desc, id) where announced_at is not null;
create index watch_match_by_age on watch_match (changed_at);
comment on table watch_match is 'A change that met a watch, written by the run that made it. Changes before the announcement are one.';
comment on column watch_match.record is 'The property id, or city and number of the permit.';
comment on column watch_match.before is 'The searchable row before the first change; null for a new record.';
comment on column watch_match.after is 'The searchable row after the last change.';
