-- online
create index concurrently if not exists listing_change_by_time on listing_change (market, changed_at);
