alter table api_key add column last_four text, add column confirmed_at timestamptz;
comment on column api_key.last_four is 'The last characters of the key, as its confirmation mail names them. Null for keys issued before they were kept.';
comment on column api_key.confirmed_at is 'When the owner of the mailbox confirmed the key. Before, it causes no mail except the one that asks to confirm it.';
-- Only the operator issues Pro keys.
update api_key set confirmed_at = created_at where plan = 'pro';

create table account_token (
  hash        bytea primary key,
  purpose     text not null check (purpose in ('sign-in', 'confirm')),
  email       text not null,
  key_id      text references api_key (id) on delete cascade,
  mailbox     text not null,
  client      text,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  used_at     timestamptz,
  check ((purpose = 'confirm') = (key_id is not null))
);
create index account_token_by_mailbox on account_token (mailbox, created_at);
create index account_token_by_client on account_token (client, created_at);
create index account_token_by_key on account_token (key_id);
create index account_token_by_age on account_token (expires_at);
comment on table account_token is 'A link in a mail that signs in or confirms a key. It works once.';
comment on column account_token.hash is 'SHA-256 of the token.';
comment on column account_token.mailbox is 'Hash of the normalized mailbox, which links are counted by.';
comment on column account_token.client is 'Address of the client that asked for the link. Null for the operator.';

create table account_session (
  id             text primary key,
  hash           bytea not null unique,
  email          text,
  key_id         text references api_key (id) on delete cascade,
  chosen_key_id  text references api_key (id) on delete set null,
  browser        text not null,
  created_at     timestamptz not null,
  used_at        timestamptz not null,
  expires_at     timestamptz not null,
  check ((email is null) <> (key_id is null))
);
create index account_session_by_email on account_session (email);
create index account_session_by_key on account_session (key_id);
create index account_session_by_chosen_key on account_session (chosen_key_id);
create index account_session_by_age on account_session (expires_at);
comment on table account_session is 'A browser that is signed in, with a key or by a mailed link.';
comment on column account_session.hash is 'SHA-256 of the cookie.';
comment on column account_session.email is 'The address that was proven by a mailed link, in lower case.';
comment on column account_session.key_id is 'The key it was opened with. The session ends with the key.';
comment on column account_session.chosen_key_id is 'The key that downloads from pages use.';
comment on column account_session.used_at is 'Last use, to the hour.';

create table key_usage (
  family    text not null references api_key (id) on delete cascade,
  day       date not null,
  requests  bigint not null,
  refused   bigint not null,
  primary key (family, day)
);
create index key_usage_by_day on key_usage (day);
comment on table key_usage is 'Requests of a key and the keys it replaced, by UTC day.';
comment on column key_usage.refused is 'Requests over the limit per minute, which are also in requests.';
