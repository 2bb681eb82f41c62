-- Pages of leads that cost the same however many leads there are.

-- What the SB 9 inventory is chosen, ordered and counted by stands on the listing, copied from the assessment in its transaction
-- as the rank is: no join, and the page is read off an index.
alter table listing
  add column sb9_status text,
  add column sb9_max_units integer,
  add column sb9_blocked boolean;
update listing l set sb9_status = a.sb9_status, sb9_max_units = a.sb9_max_units, sb9_blocked = a.sb9_blocked
from assessment a where a.property_id = l.property_id and l.current and a.sb9_status is not null;
drop index assessment_sb9;
create index listing_sb9 on listing (market, sb9_status, sb9_max_units desc nulls last, property_id)
  include (city_slug, sb9_blocked)
  where current and status in ('active', 'coming_soon', 'pending') and sb9_status is not null;

-- Scored leads are chosen from the index alone; the rows themselves hold every finding and are wide.
drop index assessment_adu, assessment_redevelopment;
create index assessment_adu on assessment (market, adu_score desc, property_id) include (city_slug, adu_blocked)
  where adu_score is not null;
create index assessment_redevelopment on assessment (market, redevelopment_score desc, property_id)
  include (city_slug, redevelopment_class, redevelopment_blocked) where redevelopment_score is not null;

-- Lead lists exclude parcels that their feed no longer contains; this index holds only those.
create index property_gone_by_market on property (market, id) where gone_at is not null;
