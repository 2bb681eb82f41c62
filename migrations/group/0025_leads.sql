-- Leads by property and law, so that a law of another state needs no columns of its own.
create table lead (
  market      text not null,
  property_id text not null,
  law         text not null,
  kind        text not null check (kind in ('lot_split', 'accessory_unit')),
  best        boolean not null,
  status      text,
  max_units   integer,
  score       double precision,
  blocked     boolean not null,
  finding     json not null,
  primary key (market, property_id, law),
  foreign key (market, property_id) references assessment (market, property_id) on delete cascade
);
comment on table lead is 'What one law allows on one property, as of its assessment.';
comment on column lead.law is 'Id of the law in src/laws.';
comment on column lead.best is 'The lead that lists and searches show, of those of its kind.';
comment on column lead.status is 'Status of a lot split.';
comment on column lead.score is 'Score of an accessory unit.';
comment on column lead.finding is 'The finding as served, without its rules.';

-- Earlier versions knew two laws and stored their findings in columns of the assessment.
insert into lead (market, property_id, law, kind, best, status, max_units, blocked, finding)
select market, property_id, 'us-ca-sb9', 'lot_split', true, sb9_status, sb9_max_units, coalesce(sb9_blocked, false), sb9
from assessment where sb9 is not null;
insert into lead (market, property_id, law, kind, best, score, max_units, blocked, finding)
select market, property_id, 'us-ca-adu', 'accessory_unit', true, adu_score, (adu->>'maxUnits')::integer,
  coalesce(adu_blocked, false), adu
from assessment where adu is not null;
create unique index lead_best on lead (market, property_id, kind) where best;

-- The wire names of the search columns stay; their values come from the leads.
create or replace view property_search_source as
select p.market, p.id as property_id, p.city_slug, p.zip, p.removed_at is not null as removed,
  p.known_from = 'listing' as known_from_listing,
  l.status, l.price_usd as price,
  case when l.price_usd < l.original_price_usd
    then floor(1000 * (l.original_price_usd - l.price_usd) / l.original_price_usd + 0.5) / 10
    when l.original_price_usd is not null and l.price_usd is not null then 0 end as price_cut_pct,
  l.listed_on, l.pending_on, l.sold_on,
  coalesce(h.property_type, p.property_type) as property_type,
  coalesce(h.living_sqft, p.living_sqft) as sqft,
  coalesce(p.lot_sqft, h.lot_sqft) as lot_size,
  coalesce(h.beds, p.beds) as beds,
  coalesce(h.baths, p.baths) as baths,
  coalesce(h.year_built, p.year_built) as year_built,
  p.zoning,
  array(select o.key from jsonb_each_text(p.overlays) o where o.value = 'yes' order by o.key) as overlays_yes,
  case when coalesce(p.lat, h.lat) is not null and coalesce(p.lng, h.lng) is not null
    then point(coalesce(p.lng, h.lng), coalesce(p.lat, h.lat)) end as location,
  a.rank_score,
  a.teardown_score as teardown_raw,
  floor(least(100, greatest(0, a.teardown_score)) + 0.5) as teardown_score,
  a.flippability_score as flippability_raw,
  floor(least(100, greatest(0, a.flippability_score)) + 0.5) as flippability_score,
  floor(least(100, greatest(0, a.condition_score)) + 0.5) as condition_score,
  floor(least(100, greatest(0, a.historic_charm)) + 0.5) as historic_charm,
  floor(10 * a.developer_roi + 0.5) / 10 as developer_roi,
  (a.proforma->>'returnPct')::double precision as return_pct,
  (a.proforma->>'roiPct')::double precision as proforma_roi,
  t.status as sb9_status, t.max_units as sb9_max_units, coalesce(t.blocked, false) as sb9_blocked,
  u.score as adu_score, coalesce(u.blocked, false) as adu_blocked,
  a.redevelopment_score, a.redevelopment_class, coalesce(a.redevelopment_blocked, false) as redevelopment_blocked
from property p
-- A withdrawn listing is not served, but its facts about the home are used.
left join listing h on h.market = p.market and h.property_id = p.id and h.current
left join listing l on l.market = h.market and l.source_id = h.source_id and l.listing_id = h.listing_id
  and l.status in ('active', 'coming_soon', 'pending', 'sold')
left join assessment a on a.market = p.market and a.property_id = p.id
left join lead t on t.market = p.market and t.property_id = p.id and t.kind = 'lot_split' and t.best
left join lead u on u.market = p.market and u.property_id = p.id and u.kind = 'accessory_unit' and u.best;

alter table assessment drop column sb9_status, drop column sb9_max_units, drop column sb9_blocked, drop column sb9,
  drop column adu_score, drop column adu_blocked, drop column adu;
