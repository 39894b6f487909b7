-- A cell is a store that receives the facts of a gathering store by PostgreSQL's logical replication
-- and has customers of its own.

-- A sign of life of the gathering store, once a second while cells exist. Beats are numbered and
-- count the changes since the beat before, so a cell recognizes transactions that were lost,
-- repeated or reordered. One row, replicated.
create table gathering_beat (
  is_only bool primary key default true check (is_only),
  number int8 not null,
  beat_at timestamptz not null,
  newest_change_id int8 not null,
  change_count int4 not null
);

-- What a cell found missing in the facts that it received. Local to the cell.
create table cell_gap (
  found_at timestamptz primary key default clock_timestamp(),
  detail text not null
);

-- Compares each beat that is replicated with the beat and the changes before it. While a table is
-- still being copied, its rows are at another position than the others.
create function check_gathering_beat() returns trigger language plpgsql
set search_path from current as $$
declare
  counted int4;
begin
  if exists (select 1 from pg_catalog.pg_subscription_rel where srsubstate <> 'r') then
    return null;
  end if;
  if new.number <> old.number + 1 then
    insert into cell_gap (detail)
    values (format('beat %s followed beat %s', new.number, old.number));
    return null;
  end if;
  select count(*) into counted from change_record
   where id > old.newest_change_id and id <= new.newest_change_id;
  if counted <> new.change_count then
    insert into cell_gap (detail)
    values (format('%s of %s changes arrived between %s and %s', counted, new.change_count,
                   old.newest_change_id, new.newest_change_id));
  end if;
  return null;
end $$;
create trigger gathering_beat_checked after update on gathering_beat
  for each row execute function check_gathering_beat();
alter table gathering_beat enable replica trigger gathering_beat_checked;

-- Replicated rows fire no statement triggers, so those of migration 0018 do not notify the processes
-- of a cell. A transaction sends equal notifications once.
create trigger commit_log_replicated after insert on commit_log
  for each row execute function tell_hint('commit');
alter table commit_log enable replica trigger commit_log_replicated;
create trigger change_record_replicated after insert on change_record
  for each row execute function tell_hint('commit');
alter table change_record enable replica trigger change_record_replicated;

-- Rejects writes to facts on a cell. `afterbell cell init` creates the triggers; replication does not
-- fire them.
create function reject_fact_on_cell() returns trigger language plpgsql as $$
begin
  raise exception 'this store is a cell, and the table % is replicated from the gathering store: '
    'run the command there', tg_table_name;
end $$;
