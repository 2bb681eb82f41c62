alter table ingest_run add column accepted jsonb;
comment on column ingest_run.accepted is 'Why the operator loaded a feed that differs from the last run (reason), and the differences (problems).';
