-- Permits by every criterion of contract/criteria/vocabulary.ts: the search table also has status, class, the other dates, contractor,
-- property and location. See src/store/permit-search/README.md.

drop table permit_search;
create table permit_search (
  market         text not null,
  city_slug      text not null,
  permit_id      text not null,
  issued_on      date not null,
  applied_on     date,
  finaled_on     date,
  valuation_usd  double precision,
  status         text not null,
  permit_class   text not null,
  contractor     text,
  property_id    text,
  location       point,
  search         text collate "C" not null
);
insert into permit_search
select market, city_slug, permit_id, issued_on, applied_on, finaled_on, valuation_usd, status, permit_class, contractor, property_id,
  case when lat is not null and lng is not null then point(lng, lat) end,
  lower(coalesce(address, '') || coalesce(chr(10) || array_to_string(other_addresses, chr(10)), '') || chr(10) || coalesce(project_type, '') || chr(10) || coalesce(description, '')
    || chr(10) || coalesce(contractor, '') || chr(10) || coalesce(architect, '') || chr(10) || permit_id)
from permit where issued_on is not null;
comment on table permit_search is 'The issued permits as search reads them, written by the run that loads them.';
comment on column permit_search.location is 'Longitude, latitude.';
comment on column permit_search.search is 'The six searchable fields in lower case, one per line, so that a word never matches across two of them.';

-- The search planner uses the sample of texts that ANALYZE keeps. The default of 100 texts cannot distinguish 1% from 3%.
alter table permit_search alter column search set statistics 500;

create index permit_search_newest on permit_search (issued_on desc, permit_id, city_slug);
create index permit_search_class on permit_search (permit_class, issued_on desc);
create index permit_search_location on permit_search using gist (location);
create index permit_search_words on permit_search
  using gin (permit_facets(market, city_slug, valuation_usd), search gin_trgm_ops)
  -- A load merges its pending entries once, at its end. With the default of 4 MB it would merge them every 2,000 rows.
  with (gin_pending_list_limit = 65536);
alter table permit_search add primary key (market, city_slug, permit_id);
