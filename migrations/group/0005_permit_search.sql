-- Permit search: the searchable text of every issued permit, and the values of every criterion of
-- contract/criteria/vocabulary.ts, in a narrow table with one trigram index. See src/store/permit-search/README.md.

-- Date and text come first: a scan reads them from every row, and columns of variable length before them cost a quarter more.
create table permit_search (
  issued_on      date not null,
  search         text collate "C" not null,
  valuation_usd  double precision,
  applied_on     date,
  finaled_on     date,
  market         text not null,
  city_slug      text not null,
  permit_id      text not null,
  status         text not null,
  permit_class   text not null,
  contractor     text,
  property_id    text,
  location       point,
  primary key (market, city_slug, permit_id)
) with (
  -- A load that fails leaves its entries in the pending list of the trigram index, which every search reads. Vacuum merges them.
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000
);
comment on table permit_search is 'The issued permits as search reads them, written by the run that loads them.';
comment on column permit_search.search is 'The six searchable fields in lower case, one per line, so that a word never matches across two of them.';
comment on column permit_search.location is 'Longitude, latitude.';

-- The search planner uses the sample of texts that ANALYZE keeps. The default of 100 texts cannot distinguish 1% from 3%.
alter table permit_search alter column search set statistics 500;

-- Both have the values of the usual filters, so that a search without words counts in the index alone.
create index permit_search_newest on permit_search (issued_on desc, permit_id, city_slug)
  include (market, status, permit_class, valuation_usd);
create index permit_search_class on permit_search (permit_class, city_slug, issued_on desc)
  include (market, permit_id, status, valuation_usd);
-- By tile, as in 0021_sale_search.sql.
create index permit_search_location on permit_search ((floor(location[1] * 50)::int * 18000 + floor(location[0] * 50)::int))
  include (market, location, issued_on, permit_id, city_slug, status, permit_class, valuation_usd);
-- Each filter is an array, because a GIN index answers conditions on arrays: of one value, or of all steps that the valuation
-- reaches, so that a minimum is one entry of the index. Every row that the index finds is checked again with the conditions, so the
-- expressions must be cheap.
create index permit_search_words on permit_search using gin (
    (array[city_slug]), (array[permit_class]),
    ((array[1,2,3,4,5])[1:width_bucket(valuation_usd, '{100000,250000,500000,1000000,2500000}'::double precision[])]),
    (array[(issued_on - date '2000-01-01') / 365]), search gin_trgm_ops)
  -- A load merges its pending entries once, at its end. With the default of 4 MB it would merge them every 2,000 rows.
  with (gin_pending_list_limit = 65536);

create table permit_city (
  market     text,
  city_slug  text,
  city       text not null,
  primary key (market, city_slug)
);
comment on table permit_city is 'The cities with issued permits, so that a part of a name is looked up without reading permits.';
