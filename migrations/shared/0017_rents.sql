-- The data set of rents.
alter table source drop constraint source_holds_check;
alter table source add constraint source_holds_check check (holds in ('parcels', 'listings', 'sales', 'permits', 'rents')) not valid;
