-- Changes that watches are matched with after the transaction of the run that made them.
create table watched_change (
  id           bigint generated always as identity primary key,
  market       text not null,
  record       text not null,
  property_id  text,
  permit_id    text,
  address      text,
  before       jsonb,
  after        jsonb not null,
  scored       boolean not null,
  permit       boolean not null,
  changed_at   timestamptz not null
);
create index watched_change_by_market on watched_change (market, id);
comment on table watched_change is 'A changed record that watches are still to be matched with, written in the transaction of the run that changed it and deleted by the match.';
comment on column watched_change.record is 'The property id, or city and number of the permit.';
comment on column watched_change.before is 'The searchable row before the change; null for a new record.';
comment on column watched_change.after is 'The searchable row after the change.';
comment on column watched_change.scored is 'A score changed by the threshold of property.score_updated or more.';
comment on column watched_change.permit is 'A permit of the home was recorded or changed its status.';
comment on table waiting_match is 'A change that met watches and waits to be announced to them. Changes before the announcement are one.';
