-- online
create unique index concurrently if not exists assumption_set_in_use on assumption_set (key_id) where in_use;
