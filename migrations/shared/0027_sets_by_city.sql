alter table assumption_set add column by_city jsonb;
comment on column assumption_set.by_city is 'City slug to names and numbers, used in place of "values" in that city; null if the set has none.';
comment on column assumption_set."values" is 'Name to number, as GET /v1/assumptions lists them. Names of an earlier version stay and have no effect.';
