-- Permits that are not issued are searched too (`issued`), and every permit has the dwelling units it adds.
alter table permit add column units integer check (units >= 0);
comment on column permit.units is 'Dwelling units added, from the feed or stated in the description.';
alter table permit_search add column units integer, alter column issued_on drop not null;
comment on table permit_search is 'The permits as search reads them, written by the run that loads them.';
comment on column permit_search.issued_on is 'Null for a permit that is not issued.';
comment on table permit_city is 'The cities with permits, so that a part of a name is looked up without reading permits.';

insert into permit_city (market, city_slug, city)
select distinct on (market, city_slug) market, city_slug, city from permit where issued_on is null
on conflict do nothing;
insert into permit_search (market, city_slug, permit_id, applied_on, finaled_on, valuation_usd, status, permit_class, contractor,
  property_id, location, search)
select market, city_slug, permit_id, applied_on, finaled_on, valuation_usd, status, permit_class, contractor, property_id,
  case when lat is not null and lng is not null then point(lng, lat) end,
  lower(coalesce(address, '') || coalesce(chr(10) || array_to_string(other_addresses, chr(10)), '') || chr(10)
    || coalesce(project_type, '') || chr(10) || coalesce(description, '') || chr(10) || coalesce(contractor, '') || chr(10)
    || coalesce(architect, '') || chr(10) || permit_id)
from permit where issued_on is null
on conflict do nothing;
