-- Lists by the return of a new house leave out those that may be refused, whatever the best use needs.
alter table property_search add column new_house_approval text;
comment on column property_search.new_house_approval is 'What a new house needs; discretionary may be refused.';
