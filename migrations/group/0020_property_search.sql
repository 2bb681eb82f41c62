-- Search by criteria: one narrow row per property with every value that lists filter and sort by, so that a condition never joins the
-- wide tables. See docs/search.md.

alter table property add column zip text;
comment on column property.zip is 'Five digits, where the source has them.';

-- The one definition of the row. src/store/search/upkeep.ts copies it to the table in the transaction that changes a property, its
-- current listing or its assessment.
create view property_search_source as
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
  a.sb9_status, a.sb9_max_units, coalesce(a.sb9_blocked, false) as sb9_blocked,
  a.adu_score, coalesce(a.adu_blocked, false) as adu_blocked,
  a.redevelopment_score, a.redevelopment_class, coalesce(a.redevelopment_blocked, false) as redevelopment_blocked
from property p
-- A withdrawn listing is not served, but its facts about the home are used.
left join listing h on h.market = p.market and h.property_id = p.id and h.current
left join listing l on l.market = h.market and l.source_id = h.source_id and l.listing_id = h.listing_id
  and l.status in ('active', 'coming_soon', 'pending', 'sold')
left join assessment a on a.market = p.market and a.property_id = p.id;
comment on view property_search_source is 'The definition of property_search.';

-- Replaced by property_search. Their indexes go with them.
alter table listing drop column rank_score, drop column sb9_status, drop column sb9_max_units, drop column sb9_blocked;
drop index assessment_adu;
drop index assessment_redevelopment;

create table property_search (
  market                text not null,
  property_id           text not null,
  city_slug             text not null,
  zip                   text,
  removed               boolean not null,
  known_from_listing    boolean not null,
  status                text,
  price                 double precision,
  price_cut_pct         double precision,
  listed_on             date,
  pending_on            date,
  sold_on               date,
  property_type         text,
  sqft                  double precision,
  lot_size              double precision,
  beds                  double precision,
  baths                 double precision,
  year_built            integer,
  zoning                text,
  overlays_yes          text[] not null,
  location              point,
  rank_score            double precision,
  teardown_raw          double precision,
  teardown_score        double precision,
  flippability_raw      double precision,
  flippability_score    double precision,
  condition_score       double precision,
  historic_charm        double precision,
  developer_roi         double precision,
  return_pct            double precision,
  proforma_roi          double precision,
  sb9_status            text,
  sb9_max_units         integer,
  sb9_blocked           boolean not null,
  adu_score             double precision,
  adu_blocked           boolean not null,
  redevelopment_score   double precision,
  redevelopment_class   text,
  redevelopment_blocked boolean not null,
  foreign key (market, property_id) references property (market, id) on delete cascade
) with (
  -- Totals are counted in indexes. A row that changed since the last vacuum is read from the table too.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02
);
insert into property_search select * from property_search_source;
create index property_search_ranked on property_search (market, rank_score desc nulls last, property_id)
  where status is not null;
create index property_search_status on property_search (market, status, city_slug, price);
create index property_search_city on property_search (market, city_slug, rank_score desc nulls last, property_id)
  where status is not null;
create index property_search_sb9 on property_search (market, sb9_status, sb9_max_units desc nulls last, property_id)
  include (status, city_slug, price, lot_size, sb9_blocked)
  where status in ('active', 'coming_soon', 'pending') and sb9_status is not null;
-- Homes for sale are a small part of all listings, and most searches are about them. The first index has the values of the usual
-- conditions, so that an exact total reads only the index instead of rows all over the table. The second has every value: reading
-- one of its entries costs two and a half times as much.
create index property_search_for_sale on property_search (market, rank_score desc nulls last, property_id)
  include (status, city_slug, zip, price, price_cut_pct, listed_on, sqft, lot_size, beds, year_built, teardown_score,
    flippability_score, return_pct)
  where status in ('active', 'coming_soon');
-- The same in one city.
create index property_search_for_sale_city on property_search (market, city_slug, rank_score desc nulls last, property_id)
  include (status, price, price_cut_pct, listed_on, sqft, lot_size, beds, year_built, overlays_yes, teardown_score, flippability_score,
    return_pct)
  where status in ('active', 'coming_soon');
-- One ZIP code, the cheapest and the newest first. With the first index alone, these read every home for sale twice.
create index property_search_zip on property_search (market, zip, rank_score desc nulls last, property_id)
  include (status, price, beds) where status in ('active', 'coming_soon');
create index property_search_price on property_search (market, price, property_id) include (status, city_slug, lot_size, beds)
  where status in ('active', 'coming_soon');
create index property_search_listed on property_search (market, listed_on desc nulls last, property_id)
  include (status, city_slug, price, beds) where status in ('active', 'coming_soon');
create index property_search_on_market on property_search (market, rank_score desc nulls last, property_id)
  include (status, city_slug, zip, price, price_cut_pct, listed_on, pending_on, sold_on, property_type, sqft, lot_size, beds, baths,
    year_built, zoning, overlays_yes, location, teardown_raw, teardown_score, flippability_raw, flippability_score, condition_score,
    developer_roi, return_pct, proforma_roi, sb9_status, sb9_max_units, sb9_blocked)
  where status in ('active', 'coming_soon', 'pending');
create index property_search_sold on property_search (market, city_slug, (case when status = 'sold' then sold_on end))
  where status = 'sold';
create index property_search_adu on property_search (market, adu_score desc nulls last, property_id)
  include (adu_blocked) where adu_score is not null and not removed;
create index property_search_adu_city on property_search (market, city_slug, adu_score desc nulls last, property_id)
  include (adu_blocked) where adu_score is not null and not removed;
create index property_search_redevelopment on property_search (market, redevelopment_score desc nulls last, property_id)
  include (redevelopment_class, redevelopment_blocked) where redevelopment_score is not null and not removed;
create index property_search_redevelopment_city on property_search (market, city_slug, redevelopment_score desc nulls last, property_id)
  include (redevelopment_class, redevelopment_blocked) where redevelopment_score is not null and not removed;
-- By tile, as in 0021_sale_search.sql, with the usual conditions, so that a radius reads only the index: the parcels inside may be on
-- thousands of pages.
create index property_search_location on property_search ((floor(location[1] * 50)::int * 18000 + floor(location[0] * 50)::int))
  include (market, location, property_id, removed, lot_size, adu_score, redevelopment_score);
create index property_search_location_on_market on property_search ((floor(location[1] * 50)::int * 18000 + floor(location[0] * 50)::int))
  include (market, location, property_id, rank_score, status, price, beds, lot_size)
  where status in ('active', 'coming_soon', 'pending');
-- Added last, as in 0001_properties.sql.
alter table property_search add primary key (market, property_id);
comment on table property_search is 'What lists filter and sort properties by, one row per property, written by the runs that change it.';
comment on column property_search.removed is 'Its parcel feed no longer contains it.';
comment on column property_search.known_from_listing is 'Known only through a listing: hidden together with it.';
comment on column property_search.status is 'Of the current listing, if it is served.';
comment on column property_search.price_cut_pct is 'Percent below the first price; 0 without a cut.';
comment on column property_search.sqft is 'Living area. Facts of the house come from the listing first, lot size and location from the parcel first.';
comment on column property_search.overlays_yes is 'The overlays that lie over the parcel.';
comment on column property_search.location is 'Longitude, latitude.';
comment on column property_search.teardown_raw is 'Unrounded, for ranks. teardown_score is the score as it is served.';
comment on column property_search.flippability_raw is 'Unrounded, for ranks. flippability_score is the score as it is served.';
