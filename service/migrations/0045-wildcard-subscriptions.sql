-- Subscriptions to sets of companies: all of them, an exchange, a sector or a watchlist. Such a row
-- has the kind `selector`, and in `symbol` `*`, `exchange:nyse`, `sector:finance`, or `@` and the id
-- of a watchlist. A company of the set gets a row of the kind `covered`, with what the receiver has
-- acknowledged, only once there is a delivery about it.
alter table webhook_subscription
  add column kind text not null default 'symbol'
    check (kind in ('symbol', 'selector', 'covered'));
create index webhook_subscription_selectors on webhook_subscription (template_id)
  where kind = 'selector';

-- The data of each company after its last fan-out. It stands for the acknowledged data of all
-- endpoints that have no row about the company yet. Maintained from the first subscription to all
-- companies, an exchange or a sector on. `is_stale` marks data that a change too old to be sent has
-- replaced.
create table webhook_baseline (
  template_id text collate "C" not null,
  symbol text collate "C" not null,
  data text,
  is_stale boolean not null default false,
  primary key (template_id, symbol)
);
create index webhook_baseline_stale on webhook_baseline (template_id) where is_stale;
