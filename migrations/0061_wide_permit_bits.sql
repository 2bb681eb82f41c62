-- Bits 16,384 to a row instead of 1,024: going through a term's bits costs by the row, not by the bit. Such a row is large enough
-- that PostgreSQL packs it, so that a term of a few hundred permits takes a few kilobytes and can have bits too.
drop table derived.permit_bits;
create table derived.permit_bits (
  term   text collate "C",
  block  integer,
  bits   bit(16384) not null,
  primary key (term, block)
);
alter table derived.permit_bits alter column bits set storage main;

-- Given anew by the worker, which looks at its start.
update derived.permit_term set counted = false where counted;

-- The bits at the places given.
do $$ begin
  execute format('create aggregate derived.bits_at (place integer, value integer) (sfunc = set_bit, stype = bit, initcond = %L)',
    repeat('0', 16384));
end $$;

create or replace function note_permits_written() returns trigger language plpgsql as $$
begin
  execute $sql$
  insert into derived.permit_term as t (term, permits)
  select term, count(*) from written w, unnest(permit_terms(w.search, w.permit_id, w.city_slug, w.issued_on, w.valuation_usd)) term
  where w.issued_on is not null and term <> '' group by term order by term
  on conflict (term) do update set permits = t.permits + excluded.permits $sql$;
  if exists (select from derived.permit_term where counted) then
    execute $sql$
    insert into derived.permit_bits as b (term, block, bits)
    select t.term, w.doc >> 14, derived.bits_at(w.doc & 16383, 1)
    from written w, unnest(permit_terms(w.search, w.permit_id, w.city_slug, w.issued_on, w.valuation_usd)) u (term), derived.permit_term t
    where w.issued_on is not null and t.term = u.term and t.counted group by 1, 2 order by 1, 2
    on conflict (term, block) do update set bits = b.bits | excluded.bits $sql$;
  end if;
  return null;
end $$;

create or replace function note_permits_gone() returns trigger language plpgsql as $$
begin
  if exists (select from derived.permit_term where counted) then
    execute $sql$
    update derived.permit_bits b set bits = b.bits & ~g.bits from (
      select t.term, w.doc >> 14 as block, derived.bits_at(w.doc & 16383, 1) as bits
      from gone w, unnest(permit_terms(w.search, w.permit_id, w.city_slug, w.issued_on, w.valuation_usd)) u (term), derived.permit_term t
      where w.issued_on is not null and t.term = u.term and t.counted group by 1, 2) g
    where b.term = g.term and b.block = g.block $sql$;
  end if;
  return null;
end $$;

create or replace function note_permits_changed() returns trigger language plpgsql as $$
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
  select t.term, s.doc >> 14, derived.bits_at(s.doc & 16383, 1)
  from turned s, derived.permit_term t
  where t.term = s.term and t.counted group by 1, 2 order by 1, 2
  on conflict (term, block) do update set bits = b.bits # excluded.bits $sql$;
  return null;
end $$;
