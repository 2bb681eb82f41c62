-- Permit search: the searchable text of every issued permit in a narrow table with one trigram index.
-- See src/store/permit-search/README.md.

create table permit_search (
  market         text not null,
  city_slug      text not null,
  permit_id      text not null,
  issued_on      date not null,
  valuation_usd  double precision,
  search         text collate "C" not null,
  primary key (market, city_slug, permit_id)
);
comment on table permit_search is 'The issued permits as search reads them, written by the run that loads them.';
comment on column permit_search.search is 'The six searchable fields in lower case, one per line, so that a word never matches across two of them.';

-- The search planner uses the sample of texts that ANALYZE keeps. The default of 100 texts cannot distinguish 1% from 3%.
alter table permit_search alter column search set statistics 500;

create index permit_search_newest on permit_search (issued_on desc, permit_id, city_slug);
create index permit_search_words on permit_search
  using gin (permit_facets(market, city_slug, valuation_usd), search gin_trgm_ops)
  -- A load merges its pending entries once, at its end. With the default of 4 MB it would merge them every 2,000 rows.
  with (gin_pending_list_limit = 65536);

create table permit_city (
  market     text,
  city_slug  text,
  city       text not null,
  primary key (market, city_slug)
);
comment on table permit_city is 'The cities with issued permits, so that a part of a name is looked up without reading permits.';
