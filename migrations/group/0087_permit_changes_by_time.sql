-- online
create index concurrently if not exists permit_change_by_time on permit_change (market, changed_at);
