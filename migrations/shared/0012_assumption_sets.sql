-- A caller's own numbers for the pro forma. It belongs to the newest key of a family and passes to the key that replaces it.
create table assumption_set (
  id          text primary key,
  key_id      text not null references api_key (id) on delete cascade,
  name        text not null check (length(name) between 1 and 80),
  market      text,
  "values"    jsonb not null,
  created_at  timestamptz not null,
  updated_at  timestamptz not null
);
create index assumption_set_by_key on assumption_set (key_id, created_at);
comment on table assumption_set is 'Assumptions of one key, used in place of those of the market.';
comment on column assumption_set.market is 'The only market it is for; null for every market.';
comment on column assumption_set."values" is 'Name to number, as GET /v1/assumptions lists them.';
