-- A valuation replaces all rows of a market within a run. Their space is freed while it runs, so that the tables do not double.
alter table assessment set (autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_scale_factor = 0.05);
alter table lead set (autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_scale_factor = 0.05);
