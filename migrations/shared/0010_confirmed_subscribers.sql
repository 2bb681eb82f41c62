alter table subscriber add column confirmed_at timestamptz;
comment on column subscriber.confirmed_at is 'When the owner of the mailbox confirmed. No newsletter is sent before.';
-- Subscriptions made before confirmation existed stay valid. There are few rows.
update subscriber set confirmed_at = created_at;
