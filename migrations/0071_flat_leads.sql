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

-- Which parcels are gone is read off the index too.
drop index property_gone;
create index property_gone on property (source_id) include (id) where gone_at is not null;

-- How many scored leads there are of each kind, city, score, class and blocked or not: the sum over all slots. A transaction
-- writes in a slot that no other is writing in, so that none waits for another. They count only beside the mark that counting
-- (src/store/lead-counts.ts) leaves, a row of no market: without it the rows, if any, are left over and mean nothing.
create table derived.lead_count (
  market     text,
  kind       text,
  score      double precision,
  city_slug  text,
  class      text,
  blocked    boolean,
  slot       integer,
  leads      bigint not null,
  primary key (market, kind, score, city_slug, class, blocked, slot)
) with (fillfactor = 70);

-- The leads that one assessment is.
create function derived.leads_of(
  adu_score double precision, adu_blocked boolean,
  redevelopment_score double precision, redevelopment_class text, redevelopment_blocked boolean
) returns table (kind text, score double precision, class text, blocked boolean)
language sql immutable parallel safe as $$
  select 'adu', adu_score, '', coalesce(adu_blocked, false) where adu_score is not null
  union all
  select 'redevelopment', redevelopment_score, coalesce(redevelopment_class, ''), coalesce(redevelopment_blocked, false)
  where redevelopment_score is not null
$$;

create function count_leads() returns trigger language plpgsql as $$
declare
  own_slot integer;
begin
  -- The mark goes too: what is loaded into an emptied table is a first load.
  if tg_op = 'TRUNCATE' then
    truncate derived.lead_count;
    return null;
  end if;
  -- Differences to what was never counted are worth nothing. Restoring a dump may have switched the triggers on.
  if not exists (select from derived.lead_count where market = '') then
    return null;
  end if;
  -- An upsert that inserts nothing tells of it all the same.
  if tg_op = 'INSERT' then
    if not exists (select from written) then
      return null;
    end if;
  end if;
  -- Held until the transaction ends. Where there are more writers than slots, one of the process's own.
  own_slot := coalesce(
    (select slot from generate_series(1, 16) slot where pg_try_advisory_xact_lock(7105464, slot) limit 1),
    -pg_backend_pid());
  execute format($sql$
    insert into derived.lead_count as c (market, kind, score, city_slug, class, blocked, slot, leads)
    select a.market, l.kind, l.score, a.city_slug, l.class, l.blocked, $1, sum(a.leads) from (%s) a, derived.leads_of(
      a.adu_score, a.adu_blocked, a.redevelopment_score, a.redevelopment_class, a.redevelopment_blocked) l
    group by 1, 2, 3, 4, 5, 6 having sum(a.leads) <> 0
    on conflict (market, kind, score, city_slug, class, blocked, slot) do update set leads = c.leads + excluded.leads $sql$,
    case tg_op
      when 'INSERT' then 'select *, 1 as leads from written'
      when 'DELETE' then 'select *, -1 as leads from gone'
      else 'select *, 1 as leads from written union all select *, -1 from gone'
    end) using own_slot;
  return null;
end $$;

-- At rest until the leads are counted for the first time: a first load is not slowed by keeping count. From then on the counts are
-- exact in every transaction. Where real data takes the place of a sample that was counted, the triggers stay on, but without the
-- mark they count nothing.
create trigger leads_written after insert on assessment referencing new table as written
  for each statement execute function count_leads();
create trigger leads_changed after update on assessment referencing old table as gone new table as written
  for each statement execute function count_leads();
create trigger leads_gone after delete on assessment referencing old table as gone
  for each statement execute function count_leads();
create trigger leads_emptied after truncate on assessment for each statement execute function count_leads();
alter table assessment
  disable trigger leads_written, disable trigger leads_changed, disable trigger leads_gone, disable trigger leads_emptied;
