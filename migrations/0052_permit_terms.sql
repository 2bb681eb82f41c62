-- Permits are found by their words, not by their letters: a list of all words that occur says which hold the caller's, an
-- index of words has the permits of a rare one, and bits, one a permit, count the frequent ones without reading a permit.

-- A small number for each permit, to count it by.
alter table permit add column doc integer generated always as identity;
create unique index permit_by_doc on permit (doc);

-- An index row takes 2,704 bytes. A word that may be longer becomes pieces of 400 letters, one begun every 200: any 200 letters
-- of it are within one, and no search is longer.
create function words_and_pieces(texts text) returns text[]
language sql immutable parallel safe
return array(
  select substr(word, place, 400)
  from unnest(string_to_array(texts, ' ')) word, generate_series(1, greatest(length(word) - 200, 1), 200) place);

-- What a permit is found by: every word of its five texts; then, each after a line break, so that they meet no word, its
-- city, the shape of its number (every digit as 0), the year it was issued, and the steps of value it reaches
-- (see src/store/permit-terms.ts).
create function permit_terms(
  search text, permit_id text, city_slug text, issued_on date, valuation_usd double precision
) returns text[]
language sql immutable parallel safe
return
  case when octet_length(search) < 2600
    then string_to_array(translate(left(search, -(length(lower(permit_id)) + 1)), E'\n.,;:()"', '        '), ' ')
    else words_and_pieces(translate(left(search, -(length(lower(permit_id)) + 1)), E'\n.,;:()"', '        '))
  end
  || (E'\n' || city_slug)
  || (E'\n#' || translate(lower(permit_id), '123456789', '000000000'))
  || (E'\n!' || extract(year from issued_on))
  || (array[E'\n$100000', E'\n$250000', E'\n$500000', E'\n$1000000', E'\n$2500000'])
    [1:width_bucket(valuation_usd, array[100000, 250000, 500000, 1000000, 2500000]::float8[])];

drop index permit_search;
create index permit_by_term on permit using gin (permit_terms(search, permit_id, city_slug, issued_on, valuation_usd))
  where issued_on is not null;
create index permit_by_number on permit (lower(permit_id) collate "C") where issued_on is not null;
create index permit_by_part_of_number on permit using gin (lower(permit_id) gin_trgm_ops) where issued_on is not null;

-- Made from the permits, so it is in no backup: a schema of its own says so.
create schema derived;
create table derived.permit_term (
  term     text collate "C" primary key,
  -- How many permits came with it: a hint, never taken back. That a term is here is what search relies on.
  permits  bigint not null,
  -- Frequent enough to have bits.
  counted  boolean not null default false
) with (fillfactor = 80);
create index permit_term_letters on derived.permit_term using gin (term gin_trgm_ops);
create index permit_term_counted on derived.permit_term (term) where counted;

-- One bit a permit, 1,024 to a row, for every term that is counted: exact in every transaction.
create table derived.permit_bits (
  term   text collate "C",
  block  integer,
  bits   bit(1024) not null,
  primary key (term, block)
);

-- Each as text, so that it is planned anew for the number of rows at hand: one, or a million.

create function note_permits_written() returns trigger language plpgsql as $$
begin
  execute $sql$
  insert into derived.permit_term as t (term, permits)
  select term, count(*) from written w, unnest(permit_terms(w.search, w.permit_id, w.city_slug, w.issued_on, w.valuation_usd)) term
  where w.issued_on is not null and term <> '' group by term order by term
  on conflict (term) do update set permits = t.permits + excluded.permits $sql$;
  if exists (select from derived.permit_term where counted) then
    execute $sql$
    insert into derived.permit_bits as b (term, block, bits)
    select t.term, w.doc >> 10, bit_or(set_bit(0::bit(1024), w.doc & 1023, 1))
    from written w, unnest(permit_terms(w.search, w.permit_id, w.city_slug, w.issued_on, w.valuation_usd)) u (term), derived.permit_term t
    where w.issued_on is not null and t.term = u.term and t.counted group by 1, 2 order by 1, 2
    on conflict (term, block) do update set bits = b.bits | excluded.bits $sql$;
  end if;
  return null;
end $$;

create function note_permits_gone() returns trigger language plpgsql as $$
begin
  if exists (select from derived.permit_term where counted) then
    execute $sql$
    update derived.permit_bits b set bits = b.bits & ~g.bits from (
      select u.term, w.doc >> 10 as block, bit_or(set_bit(0::bit(1024), w.doc & 1023, 1)) as bits
      from gone w, unnest(permit_terms(w.search, w.permit_id, w.city_slug, w.issued_on, w.valuation_usd)) u (term)
      where w.issued_on is not null group by 1, 2) g
    where b.term = g.term and b.block = g.block $sql$;
  end if;
  return null;
end $$;

create function note_permits_changed() returns trigger language plpgsql as $$
begin
  execute $sql$
  with changed as materialized (
    select n.doc, n.issued_on is not null as issued, o.issued_on is not null as was_issued,
      permit_terms(n.search, n.permit_id, n.city_slug, n.issued_on, n.valuation_usd) as terms,
      permit_terms(o.search, o.permit_id, o.city_slug, o.issued_on, o.valuation_usd) as old_terms
    from written n join gone o on o.doc = n.doc
    where (o.search, o.city_slug, o.valuation_usd, o.issued_on)
      is distinct from (n.search, n.city_slug, n.valuation_usd, n.issued_on)),
  sides as materialized (
    select distinct c.doc, u.term, true as held from changed c, unnest(c.terms) u (term) where c.issued and u.term <> ''
    union all
    select distinct c.doc, u.term, false from changed c, unnest(c.old_terms) u (term) where c.was_issued and u.term <> ''),
  turned as materialized (
    select doc, term, bool_and(held) as held from sides group by doc, term having count(*) = 1),
  noted as (
    insert into derived.permit_term as t (term, permits)
    select term, count(*) from turned where held group by term order by term
    on conflict (term) do update set permits = t.permits + excluded.permits)
  -- A term on one side only: there its bit turns over.
  insert into derived.permit_bits as b (term, block, bits)
  select t.term, s.doc >> 10, bit_or(set_bit(0::bit(1024), s.doc & 1023, 1))
  from turned s, derived.permit_term t
  where t.term = s.term and t.counted group by 1, 2 order by 1, 2
  on conflict (term, block) do update set bits = b.bits # excluded.bits $sql$;
  return null;
end $$;

create function forget_permit_terms() returns trigger language plpgsql as $$
begin
  truncate derived.permit_term, derived.permit_bits;
  return null;
end $$;

create trigger permits_written after insert on permit referencing new table as written
  for each statement execute function note_permits_written();
create trigger permits_changed after update on permit referencing old table as gone new table as written
  for each statement execute function note_permits_changed();
create trigger permits_gone after delete on permit referencing old table as gone
  for each statement execute function note_permits_gone();
create trigger permits_emptied after truncate on permit for each statement execute function forget_permit_terms();

insert into derived.permit_term (term, permits)
select term, count(*) from permit p, unnest(permit_terms(p.search, p.permit_id, p.city_slug, p.issued_on, p.valuation_usd)) term
where p.issued_on is not null and term <> '' group by term;
