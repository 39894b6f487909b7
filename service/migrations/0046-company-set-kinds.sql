-- Renames the kinds of rows that company sets need: `set` for the subscription to a set, and
-- `member` for what the receiver has acknowledged about a company of a set.
alter table webhook_subscription drop constraint webhook_subscription_kind_check;
update webhook_subscription set kind = case kind when 'selector' then 'set' else 'member' end
 where kind in ('selector', 'covered');
alter table webhook_subscription
  add constraint webhook_subscription_kind_check check (kind in ('symbol', 'set', 'member'));
drop index webhook_subscription_selectors;
create index webhook_subscription_sets on webhook_subscription (template_id) where kind = 'set';
