-- Watches compare a home with what it was before its listing changed, whatever else changes before its assessment.
alter table listing_change add column row_before jsonb;
comment on column listing_change.row_before is 'The searchable row before the change, if the market has watches, until the change is announced. Only the first of the changes that wait has it.';
