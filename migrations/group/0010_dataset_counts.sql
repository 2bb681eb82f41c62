create table dataset_count (
  market     text not null,
  dataset    text not null check (dataset in ('parcels', 'listings', 'sales', 'permits')),
  city_slug  text not null,
  source_id  text not null references source (id) on delete cascade,
  city       text not null,
  rows       integer not null default 0,
  removed    integer not null default 0,
  newest_on  date,
  primary key (market, dataset, city_slug, source_id)
);
comment on table dataset_count is 'Rows by data set, city and source, kept by the load that changes them, so that coverage reads no records.';
comment on column dataset_count.removed is 'Rows that their complete feed no longer contains.';
comment on column dataset_count.newest_on is 'Date of the newest record; of parcels, the latest change that the feed states, and null where it states none. A correction to an earlier date is counted by the daily recount.';

insert into dataset_count (market, dataset, city_slug, source_id, city, rows, removed, newest_on)
select market, 'parcels', city_slug, source_id, max(city), count(*), count(removed_at), null::date
from property where source_id is not null and known_from = 'parcel' group by 1, 3, 4
union all
select l.market, 'listings', l.city_slug, l.source_id, max(p.city), count(*), count(l.removed_at),
  max(greatest(l.listed_on, l.pending_on, l.sold_on))
from listing l join property p on p.market = l.market and p.id = l.property_id group by 1, 3, 4
union all
select market, 'sales', city_slug, source_id, max(city), count(*), count(removed_at), max(sold_on) from sale group by 1, 3, 4
union all
select market, 'permits', city_slug, source_id, max(city), count(*), count(removed_at), max(issued_on) from permit group by 1, 3, 4;
