create table market (
  id           text primary key,
  number       integer not null unique check (number > 0),
  shard_group  text not null default 'g00'
);
comment on table market is 'The markets this database serves and the schema that holds the data of each.';
comment on column market.number is 'Part of every property id of the market. Never changes and is never reused.';
comment on column market.shard_group is 'The schema with the market''s data. Moving a market to another group changes no id.';
