-- What a run of a market was computed with, so that the next one assesses only what can have changed.
alter table assess_run add column assessed_on date, add column basis text;
comment on column assess_run.assessed_on is 'The day that the run is for.';
comment on column assess_run.basis is 'A hash of what all properties are assessed with: valuation, models, rules and rents. Null if it is not known to be the same for all.';
