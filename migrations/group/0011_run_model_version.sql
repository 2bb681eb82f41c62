alter table assess_run add column model_version text;
comment on column assess_run.model_version is 'The models the run used. After a completed run of a market, every assessment in it is one of these models.';
