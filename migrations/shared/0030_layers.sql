-- Map layers, whose rows are shapes instead of records.
alter table source drop constraint source_holds_check;
alter table source add constraint source_holds_check check (holds in ('parcels', 'listings', 'sales', 'permits', 'rents', 'layer')) not valid;
