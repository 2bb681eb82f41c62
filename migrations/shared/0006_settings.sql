create table setting (
  name   text primary key,
  value  jsonb not null
);
comment on table setting is 'Values that the service stores about itself.';
