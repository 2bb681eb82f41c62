alter table assumption_set add column in_use boolean not null default false;
comment on column assumption_set.in_use is 'True for the set that the pages of its owner are computed with; at most one of a key.';
