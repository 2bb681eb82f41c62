create table subscriber (
  id               text primary key,
  email            text not null,
  market           text not null,
  origin           text,
  created_at       timestamptz not null default now(),
  confirmed_at     timestamptz,
  unsubscribed_at  timestamptz
);
create unique index subscriber_once on subscriber (lower(email), market);
comment on table subscriber is 'A mailbox that receives the newsletter of one market.';
comment on column subscriber.origin is 'Where the subscription was made.';
comment on column subscriber.confirmed_at is 'When the owner of the mailbox confirmed. No newsletter is sent before.';

create table newsletter_issue (
  subscriber_id  text not null references subscriber (id) on delete cascade,
  week           text not null,
  queued_at      timestamptz not null default now(),
  primary key (subscriber_id, week)
);
create index newsletter_issue_by_age on newsletter_issue (queued_at);
comment on table newsletter_issue is 'One newsletter per subscriber and week, even if sending runs twice.';
comment on column newsletter_issue.week is 'ISO week, for example 2026-W46.';

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
comment on table mail is 'The outcome of each mail. Its content is in the queue only, encrypted.';
