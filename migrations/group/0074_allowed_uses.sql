-- In place of allows, an array, which a cluster cannot join to the text that a search reads. No program reads or writes allows any more.
alter table assessment add column allowed_uses text;
comment on column assessment.allowed_uses is 'Uses that a law allows, likely allows or allows on a condition, separated by spaces: add_unit split …';
