alter table event add column search_row jsonb, add column minor boolean not null default false;
comment on column event.search_row is 'The searchable row as it stood: filters of webhooks and of the feed test it.';
comment on column event.minor is 'A change of a score below the threshold.';

alter table webhook_endpoint add column filter jsonb, add column every_change boolean not null default true,
  add column on_market_only boolean not null default false;
comment on column webhook_endpoint.filter is 'Criteria that the searchable row of an event must meet.';
comment on column webhook_endpoint.every_change is 'Also receives changes of a score below the threshold. True for endpoints of earlier versions.';
comment on column webhook_endpoint.on_market_only is 'Receives property.score_updated for homes on the market only. False for endpoints of earlier versions.';
