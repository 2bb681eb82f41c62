create table assess_run (
  market         text not null,
  id             text not null,
  scope          text not null check (scope in ('market', 'properties')),
  state          text not null check (state in ('running', 'completed', 'failed')),
  started_at     timestamptz not null,
  finished_at    timestamptz,
  batches        integer,
  considered     integer not null default 0,
  changed        integer not null default 0,
  error          text,
  model_version  text,
  primary key (market, id)
);
comment on table assess_run is 'One execution of an assessment, of a whole market or of the properties that changed.';
comment on column assess_run.batches is 'Number of batches of the run.';
comment on column assess_run.considered is 'Properties assessed.';
comment on column assess_run.changed is 'Properties whose assessment changed.';
comment on column assess_run.model_version is 'The models the run used. After a completed run of a market, every assessment in it is one of these models.';

create table assess_batch (
  market      text not null,
  run_id      text not null,
  after_id    text not null,
  considered  integer not null,
  changed     integer not null,
  done_at     timestamptz not null default now(),
  primary key (market, run_id, after_id),
  foreign key (market, run_id) references assess_run (market, id) on delete cascade
);
comment on table assess_batch is 'A finished batch of a run. A batch that two workers finish counts once.';
comment on column assess_batch.after_id is 'The batch starts after this property id.';
