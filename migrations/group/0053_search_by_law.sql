-- What `minHomes` and `allows` read.
alter table property_search add column homes integer, add column allows text;
comment on column property_search.allows is 'The uses that a law allows, separated by spaces.';
