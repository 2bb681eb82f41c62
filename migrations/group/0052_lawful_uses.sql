-- The kinds of laws are a table of the program (src/domain/findings/laws.ts), which grows without a migration.
alter table lead drop constraint lead_kind_check;
comment on column lead.max_units is 'Units of a lot split or accessory units; homes of another use.';

alter table assessment add column homes integer;
alter table assessment add column allows text[];
comment on column assessment.homes is 'Most homes of any use that a law allows or likely allows.';
comment on column assessment.allows is 'Uses that a law allows, likely allows or allows on a condition: add_unit, split, …';
