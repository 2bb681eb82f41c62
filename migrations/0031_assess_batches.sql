-- A market's run as batches of ids that workers share. A batch done twice counts once.

alter table assess_run add column batches integer;

create table assess_batch (
  run_id      bigint not null references assess_run (id) on delete cascade,
  after_id    text not null,
  considered  integer not null,
  changed     integer not null,
  done_at     timestamptz not null default now(),
  primary key (run_id, after_id)
);
