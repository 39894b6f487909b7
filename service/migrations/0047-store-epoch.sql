-- Each time the store goes on from an older state, such as a restored backup, it begins a new epoch.
-- Ids of changes after last_change_id and below first_change_id belong to a history that was lost.
create table store_epoch (
  first_change_id int8 primary key,
  last_change_id int8 not null,
  started_at timestamptz not null,
  reason text not null check (reason in ('restore', 'failover', 'operator')),
  check (last_change_id < first_change_id)
);
