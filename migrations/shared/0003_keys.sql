create table api_key (
  id               text primary key,
  family           text not null,
  hash             bytea not null unique,
  hint             text not null,
  plan             text not null check (plan in ('free', 'pro')),
  email            text not null,
  created_at       timestamptz not null default now(),
  promotion_until  timestamptz,
  expires_at       timestamptz,
  replaced_by      text references api_key (id),
  revoked_at       timestamptz
);
create index api_key_by_email on api_key (lower(email));
create index api_key_by_family on api_key (family);
comment on table api_key is 'A caller''s credential. The key itself is not stored.';
comment on column api_key.family is 'Id of the first key. Keys that replaced one another share one limit and one set of webhooks.';
comment on column api_key.hash is 'SHA-256 of the key. A random key needs no slow hash.';
comment on column api_key.hint is 'The first characters of the key, to tell keys apart in a list.';
comment on column api_key.created_at is 'When the first key of the family was issued.';
comment on column api_key.promotion_until is 'A free key has Pro access until then.';
comment on column api_key.expires_at is 'Set on a rotated key, which works until then.';
comment on column api_key.replaced_by is 'The key that replaced it in a rotation.';

create table daily_count (
  day      date not null,
  purpose  text not null,
  subject  text not null,
  used     integer not null,
  primary key (day, purpose, subject)
);
comment on table daily_count is 'Use of a daily allowance by a client address or a mailbox.';
comment on column daily_count.purpose is 'The allowance: keys, subscriptions or key-mails.';
comment on column daily_count.subject is 'The client address, or a hash of the mailbox.';
