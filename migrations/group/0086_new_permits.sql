alter table permit_change alter column previous_status drop not null;
comment on table permit_change is 'New permits and changes of the normalized status, written by the run that loads them. A first load writes none.';
comment on column permit_change.previous_status is 'Null for a new permit.';
