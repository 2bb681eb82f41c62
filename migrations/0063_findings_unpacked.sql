-- Findings gain little by compression (three bytes become two) and it costs the server two fifths of taking them in. And
-- whether a split is blocked is chosen by, so that the finding itself is never searched inside.

alter table assessment add column sb9_blocked boolean;
update assessment set sb9_blocked = jsonb_array_length(coalesce(sb9->'blockReasons', '[]')) > 0 where sb9 is not null;

alter table assessment
  alter column sb9 type json using sb9::json,
  alter column explanation set storage external,
  alter column comps set storage external,
  alter column sb9 set storage external,
  alter column adu set storage external,
  alter column redevelopment set storage external;

drop index assessment_sb9;
create index assessment_sb9 on assessment (market, property_id) include (sb9_status, sb9_max_units, sb9_blocked)
  where sb9_status is not null;
