-- Deliveries are written a thousand a second and looked up by age once a day: indexes that cost next to nothing to keep.

drop index event_by_time;
drop index event_by_age;
create index event_by_age on event using brin (created_at) with (pages_per_range = 16);

drop index delivery_by_age;
create index delivery_by_age on delivery using brin (created_at) with (pages_per_range = 16);
-- A replay of a time range asks by endpoint and event; it is rare, and may take its time.
drop index delivery_by_event;
