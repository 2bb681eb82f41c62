-- Who calls: keys, the counts that bound key issuance, and newsletter subscribers.

create table api_key (
  id               text primary key,
  -- SHA-256 of the key. High-entropy keys need a fast hash, not a slow one.
  hash             bytea not null unique,
  -- The first characters, to tell keys apart in a list; far too few to guess the rest.
  hint             text not null,
  plan             text not null check (plan in ('free', 'pro')),
  email            text not null,
  created_at       timestamptz not null default now(),
  promotion_until  timestamptz,
  -- Set on the old key by a rotation: it works until then.
  expires_at       timestamptz,
  replaced_by      text references api_key (id),
  revoked_at       timestamptz
);
create index api_key_by_email on api_key (lower(email));

-- What a client address or mailbox has used up of a daily allowance: keys issued, subscriptions made, mails sent.
create table daily_count (
  day      date not null,
  purpose  text not null,
  subject  text not null,
  used     integer not null,
  primary key (day, purpose, subject)
);

create table subscriber (
  id               text primary key,
  email            text not null,
  market           text not null,
  origin           text,
  created_at       timestamptz not null default now(),
  unsubscribed_at  timestamptz
);
create unique index subscriber_once on subscriber (lower(email), market);

-- One newsletter per subscriber and week, even if sending is run twice.
create table newsletter_issue (
  subscriber_id  text not null references subscriber (id) on delete cascade,
  week           text not null,
  queued_at      timestamptz not null default now(),
  primary key (subscriber_id, week)
);

-- What became of each mail; never its content.
create table mail (
  id          text primary key,
  kind        text not null,
  recipient   text not null,
  queued_at   timestamptz not null default now(),
  sent_at     timestamptz,
  attempts    integer not null default 0,
  last_error  text
);
create index mail_by_age on mail (queued_at);
