-- Mail and Atom feeds of watches, and watches with own assumptions.
alter table watch
  add column email boolean not null default false,
  add column feed_hash bytea,
  add column assumption_set_id text references assumption_set (id);
comment on column watch.email is 'Whether matches are mailed to the address of the key.';
comment on column watch.feed_hash is 'SHA-256 of the token in the URL of its Atom feed; null without a feed.';
comment on column watch.assumption_set_id is 'The assumptions that returns in its criteria are computed with; null for those of the market.';

alter table watch_match
  add column mail_due boolean not null default false,
  add column mail_id text;
comment on column watch_match.mail_due is 'Announced, and waits for the next mail of its mailbox.';
comment on column watch_match.mail_id is 'The mail that names it.';

alter table mail add column mailbox text;
comment on column mail.mailbox is 'Hash of the normalized mailbox, which mails of watches are counted by; null for other mails.';

-- Sets made before are counted when they are next saved.
alter table assumption_set add column mailbox text not null default '';
comment on column assumption_set.mailbox is 'Hash of the normalized mailbox of the key, which sets are counted by.';
