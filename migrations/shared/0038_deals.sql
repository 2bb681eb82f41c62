-- Homes that a key's owner may buy, from the first look to the sale. A deal belongs to a saved home, which is a watch.
create table deal (
  id           text primary key,
  key_id       text not null references api_key (id) on delete cascade,
  mailbox      text not null,
  watch_id     text not null unique references watch (id) on delete cascade,
  property_id  text not null,
  stage        text not null check (stage in ('looking', 'offered', 'under_contract', 'building', 'sold', 'dropped')),
  scheme       text,
  price_usd    double precision check (price_usd > 0),
  assumptions  jsonb,
  facts        jsonb,
  saved        jsonb,
  told         jsonb,
  moved        jsonb,
  created_at   timestamptz not null,
  updated_at   timestamptz not null
);
create unique index deal_of_home on deal (key_id, property_id);
create index deal_by_mailbox on deal (mailbox);
create index deal_by_home on deal (property_id);
comment on table deal is 'A home that the owner of a key may buy, with its stage. Its note is that of its saved home.';
comment on column deal.mailbox is 'Hash of the normalized mailbox of the key, which deals are counted by.';
comment on column deal.watch_id is 'The saved home. The deal is deleted with it.';
comment on column deal.price_usd is 'The price that the owner has in mind.';
comment on column deal.assumptions is 'Names and numbers in place of those of the market.';
comment on column deal.facts is 'The owner''s corrections of facts of the home. Used for this key alone.';
comment on column deal.saved is 'Price, status and decision when it was saved; null until they are first read.';
comment on column deal.told is 'The decision that later ones are compared with.';
comment on column deal.moved is 'The last noticeable change of the decision: its time, and the decision before and after.';

-- Every saved home gets a deal. A home that a key saved twice gets one.
insert into deal (id, key_id, mailbox, watch_id, property_id, stage, created_at, updated_at)
select distinct on (key_id, criteria->'id'->>0) 'deal_' || substr(md5(id), 1, 22), key_id, mailbox, id, criteria->'id'->>0, 'looking',
  created_at, updated_at
from watch where saved_home and criteria->'id'->>0 is not null
order by key_id, criteria->'id'->>0, created_at, id;
