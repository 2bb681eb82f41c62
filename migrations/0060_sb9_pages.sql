-- Pages of the SB 9 inventory are chosen and counted from these columns; the rows themselves hold every finding and are wide.
create index assessment_sb9 on assessment (market, property_id) include (sb9_status, sb9_max_units)
  where sb9_status is not null;
