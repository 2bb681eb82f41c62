-- Permit search: a list of all words that occur says which contain the caller's, an index of words has the permits of a
-- rare word, and a bitmap per frequent word counts permits without reading them.

alter table permit
  add column doc integer generated always as identity,
  add column search text generated always as (
    lower(coalesce(address, '') || chr(10) || coalesce(project_type, '') || chr(10) || coalesce(description, '')
      || chr(10) || coalesce(contractor, '') || chr(10) || coalesce(architect, '') || chr(10) || permit_id)
  ) stored;
comment on column permit.doc is 'A small number to count the permit by.';
comment on column permit.search is 'The six searchable fields, one per line, so that a word never matches across two of them.';

create index permit_newest on permit (issued_on desc, permit_id, city_slug) where issued_on is not null;
create index permit_newest_by_city on permit (city_slug, issued_on desc, permit_id) where issued_on is not null;
create index permit_by_valuation on permit (valuation_usd) where issued_on is not null and valuation_usd is not null;
create unique index permit_by_doc on permit (doc);

-- An index row takes 2,704 bytes. A word that may be longer becomes pieces of 400 letters, one begun every 200: any 200
-- letters of it are within one, and no search is longer.
create function words_and_pieces(texts text) returns text[]
language sql immutable parallel safe
return array(
  select substr(word, place, 400)
  from unnest(string_to_array(texts, ' ')) word, generate_series(1, greatest(length(word) - 200, 1), 200) place);

-- Replacing one mark after another is faster than translate(), which compares every letter with every mark.
create function marks_as_blanks(texts text) returns text
language sql immutable parallel safe
return replace(replace(replace(replace(replace(replace(replace(replace(
  texts, E'\n', ' '), '.', ' '), ',', ' '), ';', ' '), ':', ' '), '(', ' '), ')', ' '), '"', ' ');

-- The terms of a permit: every word of its five texts; then, each after a line break so that they equal no word, its city,
-- the shape of its number (every digit as 0), the year it was issued, and the steps of value it reaches. Only immutable
-- functions are used, so that the function is inlined into the query that calls it.
create function permit_terms(
  search text, permit_id text, city_slug text, issued_on date, valuation_usd double precision
) returns text[]
language sql immutable parallel safe
return
  case when octet_length(search) < 2600
    then string_to_array(marks_as_blanks(left(search, -(length(lower(permit_id)) + 1))), ' ')
    else words_and_pieces(marks_as_blanks(left(search, -(length(lower(permit_id)) + 1))))
  end
  || (E'\n' || city_slug)
  || (E'\n#' || translate(lower(permit_id), '123456789', '000000000'))
  || (E'\n!' || extract(year from issued_on)::text)
  || (array[E'\n$100000', E'\n$250000', E'\n$500000', E'\n$1000000', E'\n$2500000'])
    [1:width_bucket(valuation_usd, array[100000, 250000, 500000, 1000000, 2500000]::float8[])];

create index permit_by_term on permit using gin (permit_terms(search, permit_id, city_slug, issued_on, valuation_usd))
  where issued_on is not null;
create index permit_by_number on permit (lower(permit_id) collate "C") where issued_on is not null;
create index permit_by_part_of_number on permit using gin (lower(permit_id) gin_trgm_ops) where issued_on is not null;

create table permit_term (
  term     text collate "C" primary key,
  permits  bigint not null,
  counted  boolean not null default false
) with (fillfactor = 80);
create index permit_term_letters on permit_term using gin (term gin_trgm_ops);
create index permit_term_counted on permit_term (term) where counted;
comment on table permit_term is 'Every term that occurs in a permit. Derived from the permits, so it is not in a backup.';
comment on column permit_term.permits is 'How many permits came with it. An estimate: deleted permits are not subtracted.';
comment on column permit_term.counted is 'Frequent enough to have a bitmap in permit_bits.';

-- 16,384 bits per row: going through a term's bits costs by the row. Such a row is large enough that PostgreSQL compresses
-- it, so that a term of a few hundred permits takes a few kilobytes.
create table permit_bits (
  term   text collate "C",
  block  integer,
  bits   bit(16384) not null,
  primary key (term, block)
);
alter table permit_bits alter column bits set storage main;
comment on table permit_bits is 'One bit per permit for every counted term, exact in every transaction. Derived, not in a backup.';
comment on column permit_bits.block is 'The permits whose doc shifted right by 14 is this number.';

do $$ begin
  execute format('create aggregate bits_at (place integer, value integer) (sfunc = set_bit, stype = bit, initcond = %L)',
    repeat('0', 16384));
end $$;

-- Each statement is dynamic, so that it is planned for the number of rows at hand: one, or a million.
create function note_permits_written() returns trigger language plpgsql as $$
begin
  execute $sql$
  insert into permit_term as t (term, permits)
  select term, count(*) from written w, unnest(permit_terms(w.search, w.permit_id, w.city_slug, w.issued_on, w.valuation_usd)) term
  where w.issued_on is not null and term <> '' group by term order by term
  on conflict (term) do update set permits = t.permits + excluded.permits $sql$;
  if exists (select from permit_term where counted) then
    execute $sql$
    insert into permit_bits as b (term, block, bits)
    select t.term, w.doc >> 14, bits_at(w.doc & 16383, 1)
    from written w, unnest(permit_terms(w.search, w.permit_id, w.city_slug, w.issued_on, w.valuation_usd)) u (term), permit_term t
    where w.issued_on is not null and t.term = u.term and t.counted group by 1, 2 order by 1, 2
    on conflict (term, block) do update set bits = b.bits | excluded.bits $sql$;
  end if;
  return null;
end $$;

create function note_permits_removed() returns trigger language plpgsql as $$
begin
  if exists (select from permit_term where counted) then
    execute $sql$
    update permit_bits b set bits = b.bits & ~g.bits from (
      select t.term, w.doc >> 14 as block, bits_at(w.doc & 16383, 1) as bits
      from removed w, unnest(permit_terms(w.search, w.permit_id, w.city_slug, w.issued_on, w.valuation_usd)) u (term), permit_term t
      where w.issued_on is not null and t.term = u.term and t.counted group by 1, 2) g
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
    from written n join removed o on o.doc = n.doc
    where (o.search, o.city_slug, o.valuation_usd, o.issued_on)
      is distinct from (n.search, n.city_slug, n.valuation_usd, n.issued_on)),
  sides as materialized (
    select distinct c.doc, u.term, true as held from changed c, unnest(c.terms) u (term) where c.issued and u.term <> ''
    union all
    select distinct c.doc, u.term, false from changed c, unnest(c.old_terms) u (term) where c.was_issued and u.term <> ''),
  turned as materialized (
    select doc, term, bool_and(held) as held from sides group by doc, term having count(*) = 1),
  noted as (
    insert into permit_term as t (term, permits)
    select term, count(*) from turned where held group by term order by term
    on conflict (term) do update set permits = t.permits + excluded.permits)
  -- The bit of a term that only the old or only the new row has is inverted.
  insert into permit_bits as b (term, block, bits)
  select t.term, s.doc >> 14, bits_at(s.doc & 16383, 1)
  from turned s, permit_term t
  where t.term = s.term and t.counted group by 1, 2 order by 1, 2
  on conflict (term, block) do update set bits = b.bits # excluded.bits $sql$;
  return null;
end $$;

create function forget_permit_terms() returns trigger language plpgsql as $$
begin
  truncate permit_term, permit_bits;
  return null;
end $$;

create trigger permits_written after insert on permit referencing new table as written
  for each statement execute function note_permits_written();
create trigger permits_changed after update on permit referencing old table as removed new table as written
  for each statement execute function note_permits_changed();
create trigger permits_removed after delete on permit referencing old table as removed
  for each statement execute function note_permits_removed();
create trigger permits_emptied after truncate on permit for each statement execute function forget_permit_terms();
