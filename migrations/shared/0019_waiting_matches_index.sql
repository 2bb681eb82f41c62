-- online
-- A run looks up the matches of its records that wait, of all watches.
create index concurrently if not exists watch_match_waiting on watch_match (market, record) where announced_at is null;
