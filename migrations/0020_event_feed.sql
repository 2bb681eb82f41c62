-- The feed's own order, and what the delivery worker needs.

-- Given once, after the event has become visible. Numbers taken while writing would not do:
-- they become visible out of order, and start again on another server after a restore.
create sequence event_position;
alter table event add column position bigint unique;
drop index event_in_commit_order;
create index event_unplaced on event (txid, seq) where position is null;
create index event_by_time on event (type, created_at);

alter table delivery add column note text;
-- What waits, soonest first: the sweep that finds a delivery whose job was lost.
create index delivery_waiting on delivery (next_attempt_at) where state = 'waiting';
-- Which events an endpoint has had, for replays of a time range.
create index delivery_by_event on delivery (event_id, endpoint_id);
-- Attempts are read by delivery and updated never; deliveries are updated once or twice in place.
alter table delivery set (fillfactor = 80);

create index newsletter_issue_by_age on newsletter_issue (queued_at);
