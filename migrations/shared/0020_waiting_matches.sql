-- Matches that wait to be announced: one row for a changed record with all its watches, instead of one for each watch.
create table waiting_match (
  id           bigint generated always as identity primary key,
  market       text not null,
  record       text not null,
  property_id  text,
  permit_id    text,
  address      text,
  watches      jsonb not null,
  before       jsonb,
  after        jsonb not null,
  changed_at   timestamptz not null
);
create index waiting_match_by_record on waiting_match (market, record);
create index waiting_match_by_age on waiting_match (changed_at);
comment on table waiting_match is 'A change that met watches and waits to be announced to them, written by the run that made it. Changes before the announcement are one.';
comment on column waiting_match.record is 'The property id, or city and number of the permit.';
comment on column waiting_match.watches is 'The triggers by watch id. A watch is removed when the match is announced to it.';
comment on column waiting_match.before is 'The searchable row before the first change, with returns at the assumptions of its watches; null for a new record.';
comment on column waiting_match.after is 'The searchable row after the last change.';

-- First, because it locks the table: no match is written between the copy and the deletion, and a program of an earlier version that
-- still runs fails and is retried instead of writing matches that nobody announces.
drop index watch_match_pending;
drop index watch_match_waiting;
insert into waiting_match (market, record, property_id, permit_id, address, watches, before, after, changed_at)
select market, record, property_id, permit_id, address, jsonb_build_object(watch_id, triggers), before, after, changed_at
from watch_match where announced_at is null order by changed_at, id;
delete from watch_match where announced_at is null;
comment on table watch_match is 'A match that was announced, with what its watch tests and shows of the record.';
