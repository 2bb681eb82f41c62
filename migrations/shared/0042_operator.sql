-- What the operator's page and `lotline doctor` compare the present with.
create table backup_made (
  made_at  timestamptz primary key,
  file     text not null,
  bytes    bigint not null,
  rows     bigint not null
);
comment on table backup_made is 'A complete backup that this program wrote.';
create table table_size (
  day    date not null,
  name   text not null,
  bytes  bigint not null,
  primary key (day, name)
);
comment on table table_size is 'The size of a table with its indexes, written once a day to see how fast it grows.';
comment on column table_size.name is 'With the schema, such as g00.permit.';
