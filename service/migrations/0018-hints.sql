-- Processes that share a store tell each other as they commit. Hints only: who misses one finds the
-- same by polling.

-- Tells on the channel what its argument says, once the transaction has committed.
create function tell_hint() returns trigger language plpgsql as $$
begin
  perform pg_notify('afterbell', tg_argv[0]);
  return null;
end $$;

-- Kept answers are stale.
create trigger commit_log_hint after insert on commit_log
  for each statement execute function tell_hint('commit');
-- Subscribers are to be told.
create trigger change_record_hint after insert on change_record
  for each statement execute function tell_hint('commit');
-- Keys, customers or plans are others.
create trigger key_ring_hint after update on key_ring_version
  for each statement execute function tell_hint('keys');

-- When the primary last gave a sign of life, by its own clock: how far behind a replica is shows in
-- how old the sign is that it has. One row.
create table replica_beat (
  is_only bool primary key default true check (is_only),
  beat_at timestamptz not null
);
insert into replica_beat (beat_at) values (now());
