-- Who gets the daily mail. Nobody does without asking for it.
create table today_mail (
  key_id      text primary key references api_key (id) on delete cascade,
  mailbox     text not null,
  created_at  timestamptz not null,
  sent_on     date
);
comment on table today_mail is 'A key whose owner wants the daily mail.';
comment on column today_mail.mailbox is 'Hash of the normalized mailbox of the key, which mails are counted by.';
comment on column today_mail.sent_on is 'The last day that was mailed, or had nothing to say.';
