-- Permits and sales by overlay read the search row of their home. A process of the version before still writes this column.
alter table sale_search alter column overlays_yes set default '{}';
comment on column sale_search.overlays_yes is 'Not used since version 4: see property_search.overlays_yes.';
