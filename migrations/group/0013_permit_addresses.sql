alter table permit add column other_addresses text[];
comment on column permit.other_addresses is 'Further addresses of the permit, for feeds with one row per address.';
