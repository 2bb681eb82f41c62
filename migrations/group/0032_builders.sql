-- Who builds: contractors by license or normalized name within a market.
alter table permit add column contractor_key text, add column contractor_license text;
comment on column permit.contractor_key is 'The normalized name of the contractor; null where the row names an owner or nobody.';
alter table permit_search add column builder_key text;
comment on column permit_search.builder_key is 'contractor_key of the permit.';

create table builder (
  market      text not null,
  name_key    text not null,
  builder_id  text not null,
  name        text not null,
  licenses    text[] not null,
  permits     integer not null,
  hidden      boolean not null default false,
  primary key (market, name_key)
);
create index builder_by_id on builder (market, builder_id);
comment on table builder is 'The names of builders. Names with a license in common have the same builder.';
comment on column builder.hidden is 'Hidden by the operator: not served.';
