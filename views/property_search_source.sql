-- The one definition of a row of property_search. src/store/search/upkeep.ts copies it to the table in the transaction that changes a
-- property, its current listing or its assessment.
create or replace view property_search_source as
select p.market, p.id as property_id, p.city_slug, p.zip, p.removed_at is not null as removed,
  p.known_from = 'listing' as known_from_listing,
  l.status, l.price_usd as price,
  case when l.price_usd < l.original_price_usd
    then 100 * (l.original_price_usd - l.price_usd) / l.original_price_usd
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
  case when a.teardown_score is not null then floor(least(100, greatest(0, a.teardown_score)) + 0.5) end as teardown_score,
  a.flippability_score as flippability_raw,
  case when a.flippability_score is not null then floor(least(100, greatest(0, a.flippability_score)) + 0.5) end as flippability_score,
  case when a.condition_score is not null then floor(least(100, greatest(0, a.condition_score)) + 0.5) end as condition_score,
  case when a.historic_charm is not null then floor(least(100, greatest(0, a.historic_charm)) + 0.5) end as historic_charm,
  floor(10 * a.developer_roi + 0.5) / 10 as developer_roi,
  (a.proforma->>'returnPct')::double precision as return_pct,
  (a.proforma->>'roiPct')::double precision as proforma_roi,
  t.status as sb9_status, t.max_units as sb9_max_units, coalesce(t.blocked, false) as sb9_blocked,
  u.score as adu_score, coalesce(u.blocked, false) as adu_blocked,
  a.redevelopment_score, a.redevelopment_class, coalesce(a.redevelopment_blocked, false) as redevelopment_blocked,
  u.max_units as adu_max_units, coalesce(h.garage_sqft, p.garage_sqft) as garage_sqft,
  (a.proforma->>'returnAtExpectedPct')::double precision as return_at_expected_pct,
  -- Demolition of a house always costs something.
  case when a.proforma->>'returnPct' is not null then array[
    coalesce((a.proforma#>>'{assumptions,existingSqft}')::double precision, 0),
    case when (a.proforma#>>'{assumptions,demoCost}')::double precision = 0 then 1 else 0 end,
    (a.proforma->>'buildSqft')::double precision, (a.proforma->>'arvPerSqft')::double precision,
    (a.proforma#>>'{assumptions,shrinkWeight}')::double precision,
    (a.proforma#>>'{assumptions,marketMeanRoiPct}')::double precision,
    (a.proforma#>>'{expectedPrice,p50}')::double precision,
    (a.proforma#>>'{assumptions,stories}')::double precision,
    (a.proforma#>>'{assumptions,slopePct}')::double precision] end as deal,
  (e.economics->>'returnPct')::double precision as adu_return_pct,
  (e.economics->>'paybackYears')::double precision as adu_payback_years,
  (e.economics->>'gainUsd')::double precision as adu_gain_usd,
  a.homes, a.allowed_uses as allows,
  case when l.status is not null then a.value_usd end as value_usd,
  (a.offers->>'priceToValue')::double precision as price_to_value,
  (a.offers->>'monthlyRent')::double precision as monthly_rent_usd,
  (a.offers#>>'{rent,capRatePct}')::double precision as cap_rate_pct,
  (a.offers#>>'{rent,grossYieldPct}')::double precision as gross_yield_pct,
  (a.offers#>>'{flip,profitUsd}')::double precision as flip_profit_usd,
  (a.offers#>>'{flip,maximumOffer}')::double precision as flip_maximum_offer,
  -- The decision about a sold home, a condominium or a home with neither price nor value names no use.
  case when l.status is distinct from 'sold'
    and coalesce(a.offers->>'propertyType', h.property_type, p.property_type) is distinct from 'condo'
    and (l.price_usd is not null or a.value_usd is not null or a.offers->>'propertyType' = 'land')
    then coalesce(b.best->>'approval', b."ifApproved"->>'approval') end as approval,
  b.best->>'kind' as best_scheme,
  (b.best->>'homes')::double precision as best_homes,
  (b.best->>'maximumOffer')::double precision as best_offer,
  -- No listing that a history window hides is for sale, so that room never tells its price.
  (b.best->>'maximumOffer')::double precision - case when l.status in ('active', 'coming_soon', 'pending')
    then coalesce((a.proforma#>>'{expectedPrice,p50}')::double precision, l.price_usd)
    else (b.beat->>'usd')::double precision end as room_usd,
  (b.best->>'maximumOfferLow')::double precision - case when l.status in ('active', 'coming_soon', 'pending')
    then coalesce((a.proforma#>>'{expectedPrice,p90}')::double precision, l.price_usd)
    else (b.beat->>'high')::double precision end as room_low,
  jsonb_path_query_first(b.offers, '$[*] ? (@.kind == "new_house").approval')#>>'{}' as new_house_approval
from property p
-- A withdrawn listing is not served, but its facts about the home are used.
left join listing h on h.market = p.market and h.property_id = p.id and h.current
left join listing l on l.market = h.market and l.source_id = h.source_id and l.listing_id = h.listing_id
  and l.status in ('active', 'coming_soon', 'pending', 'sold')
left join assessment a on a.market = p.market and a.property_id = p.id
left join lead t on t.market = p.market and t.property_id = p.id and t.kind = 'lot_split' and t.best
left join lead u on u.market = p.market and u.property_id = p.id and u.kind = 'accessory_unit' and u.best
-- Read once: each reference to a compressed column decompresses and parses it again. Offset keeps the planner from copying the expression.
left join lateral jsonb_to_record(a.uses) as b (best jsonb, "ifApproved" jsonb, beat jsonb, offers jsonb) on true
left join lateral (select u.finding->'economics' as economics offset 0) e on true;
