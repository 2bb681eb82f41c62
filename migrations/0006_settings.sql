-- Small facts the service keeps about itself.
create table setting (
  name   text primary key,
  value  jsonb not null
);
