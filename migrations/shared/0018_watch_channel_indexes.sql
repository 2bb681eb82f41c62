-- online
-- Indexes of 0016.
create unique index concurrently if not exists watch_by_feed on watch (feed_hash);
create index concurrently if not exists watch_by_assumption_set on watch (assumption_set_id) where assumption_set_id is not null;
create index concurrently if not exists watch_match_mail_due on watch_match (watch_id) where mail_due;
create index concurrently if not exists watch_match_by_mail on watch_match (mail_id) where mail_id is not null;
create index concurrently if not exists mail_by_mailbox on mail (mailbox, queued_at) where mailbox is not null;
create index concurrently if not exists assumption_set_by_mailbox on assumption_set (mailbox);
