-- Keys that follow from one another by rotation are one family: one allowance, one owner of webhooks, one revocation.
alter table api_key add column family text;
update api_key set family = id;
alter table api_key alter column family set not null;
create index api_key_by_family on api_key (family);
