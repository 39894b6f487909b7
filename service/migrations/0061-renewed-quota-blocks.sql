-- A block that was returned keeps the times of its requests, instead of entering them into the array of
-- the minute: that array had to be rewritten with every block, and a busy customer has tens of thousands
-- of requests a minute. The row is deleted when its last request is older than a minute.
-- base_ms is the time of its first request. expires_ms is that of its last.
alter table quota_block add column base_ms int8;
-- Milliseconds after base_ms, ascending. Null while a process uses the block.
alter table quota_block add column used_ms int4[];
-- Compression would cost more time than it saves in a table without a write-ahead log.
alter table quota_block alter column used_ms set storage external;

drop function return_quota_block(text, text, int4[], int4, int8);

-- Ends a block. first_age_ms is the age of its first request. Its unused units return to the day and
-- month, if the same windows still count. Does nothing for a block that has ended.
create function return_quota_block(
  customer text, block text, first_age_ms int4, used_ms int4[], unused int4, at_ms int8
) returns void language plpgsql as $$
#variable_conflict use_column
declare
  held quota_block%rowtype;
  first_ms int8;
begin
  perform 1 from quota_minute q where q.customer_id = customer for update;
  select * into held from quota_block b
    where b.token = block and b.customer_id = customer and b.used_ms is null;
  if not found then return; end if;
  -- A lower limit has restarted the minute if no units are left of it.
  if held.minute_units = 0 or cardinality(return_quota_block.used_ms) = 0 then
    delete from quota_block b where b.token = block;
  else
    first_ms := coalesce(at_ms, floor(extract(epoch from clock_timestamp()) * 1000)::int8)
      - first_age_ms;
    update quota_block b
      set base_ms = first_ms, used_ms = return_quota_block.used_ms, quota_units = 0,
          minute_units = cardinality(return_quota_block.used_ms),
          expires_ms = first_ms
            + return_quota_block.used_ms[cardinality(return_quota_block.used_ms)]
      where b.token = block;
  end if;
  if least(unused, held.quota_units) > 0 then
    update quota_use u
      set day_count = greatest(0, u.day_count
            - case when u.day_id = held.day_id then least(unused, held.quota_units) else 0 end),
          month_count = greatest(0, u.month_count
            - case when u.month_id = held.month_id then least(unused, held.quota_units) else 0 end)
      where u.customer_id = customer and u.generation = held.generation;
  end if;
end
$$;

-- What the blocks of a customer take of its minute, and times of the server's clock.
create type quota_block_use as (
  minute_used int4,
  -- Of the blocks in use.
  first_expiry int8,
  last_expiry int8,
  -- Of the requests of ended blocks that still count.
  first_used_ms int8,
  last_used_ms int8,
  -- When the first of all blocks starts to leave the minute.
  first_end int8
);

create function quota_blocks_at(customer text, now_ms int8) returns quota_block_use
language plpgsql as $$
declare
  result quota_block_use;
begin
  -- Returns one row, using index quota_block_by_customer. Reads the times only of blocks whose first
  -- request is older than a minute.
  select
    coalesce(sum(b.minute_units - gone.units), 0),
    min(b.expires_ms) filter (where b.base_ms is null),
    max(b.expires_ms) filter (where b.base_ms is null),
    min(case when gone.units = 0 then b.base_ms else b.base_ms + b.used_ms[gone.units + 1] end),
    max(b.expires_ms) filter (where b.base_ms is not null),
    min(b.expires_ms)
    into result
  from quota_block b
  cross join lateral (
    select case
      when b.base_ms is null or b.base_ms + 60000 > now_ms then 0
      when b.expires_ms + 60000 <= now_ms then b.minute_units
      else width_bucket((now_ms - 60000 - b.base_ms)::int4, b.used_ms)
    end as units
  ) gone
  where b.customer_id = customer;
  return result;
end
$$;

drop function take_quota(
  text, int4, boolean, int4, int4, int4, int4, int4, int8, text, int4, int4, int4, text, int4[], int4);

-- Returns the process's last block, if there is one, and counts up to `units` requests of a customer
-- against all windows that they cost, in one round trip. With 0 units it only leases a block.
-- The row of the minute is the lock of all calls for that customer. If all are admitted, it may lease
-- a block of up to `extra` more units, at most block_percent of what remains of each window. The
-- minute gives blocks only from its first half, so a client that paces its requests meets no block of
-- another process when its minute is full. at_ms replaces the server's clock in tests. A refused call
-- changes no count, and one that costs the minute alone writes nothing that waits for a disk. The
-- returned counts are those afterwards, with all blocks.
create function take_quota(
  customer text, units int4, costs_all boolean,
  minute_limit int4, day_limit int4, month_limit int4,
  today int4, this_month int4, at_ms int8,
  block text, extra int4, block_percent int4, hold_ms int4,
  returned text, first_age_ms int4, used_ms int4[], unused int4
) returns table (
  admitted int4, leased int4, held_ms int4, minute_used int4, minute_free_ms int4,
  day_id int4, day_used int4, month_id int4, month_used int4, generation int4
) language plpgsql as $$
#variable_conflict use_column
declare
  ring quota_minute%rowtype;
  counted quota_use%rowtype;
  is_counted boolean;
  is_restarted boolean;
  now_ms int8;
  newest int8;
  gone int4 := 0;
  blocks quota_block_use;
begin
  if returned is not null then
    perform return_quota_block(customer, returned, first_age_ms, used_ms, unused, at_ms);
  end if;
  select * into ring from quota_minute q where q.customer_id = customer for update;
  if not found then
    insert into quota_minute values (customer, minute_limit, 0, '{}') on conflict do nothing;
    select * into ring from quota_minute q where q.customer_id = customer for update;
  end if;
  now_ms := coalesce(at_ms, floor(extract(epoch from clock_timestamp()) * 1000)::int8);
  minute_used := cardinality(ring.admitted_ms);
  if minute_used > 0 then
    -- A server's clock that stepped back leaves admissions in the future: they step with it, once.
    newest := ring.base_ms + ring.admitted_ms[minute_used];
    if newest > now_ms then
      ring.base_ms := ring.base_ms - (newest - now_ms);
      update quota_minute q set base_ms = ring.base_ms where q.customer_id = customer;
    end if;
    if minute_limit < ring.per_minute then
      gone := minute_used;
    else
      gone := width_bucket(
        least(now_ms - 60000 - ring.base_ms, 2147483647)::int4, ring.admitted_ms);
    end if;
    if gone > 0 then ring.admitted_ms := ring.admitted_ms[gone + 1:]; end if;
    minute_used := minute_used - gone;
  end if;

  if ring.has_blocks then
    blocks := quota_blocks_at(customer, now_ms);
    if minute_limit < ring.per_minute then
      delete from quota_block b where b.customer_id = customer and b.base_ms is not null;
      update quota_block b set minute_units = 0 where b.customer_id = customer;
      update quota_minute q set per_minute = minute_limit, admitted_ms = ring.admitted_ms
        where q.customer_id = customer;
      blocks := quota_blocks_at(customer, now_ms);
    end if;
    -- After the server's clock stepped back, times in the future step with it.
    if blocks.last_expiry > now_ms + hold_ms or blocks.last_used_ms > now_ms + 1000 then
      update quota_block b set expires_ms = now_ms + hold_ms
        where b.customer_id = customer and b.base_ms is null and b.expires_ms > now_ms + hold_ms;
      update quota_block b
        set base_ms = b.base_ms - (b.expires_ms - now_ms), expires_ms = now_ms
        where b.customer_id = customer and b.base_ms is not null and b.expires_ms > now_ms + 1000;
      blocks := quota_blocks_at(customer, now_ms);
    end if;
    -- A block that was not returned counts as used at its end.
    if blocks.first_end + 60000 <= now_ms then
      delete from quota_block b where b.customer_id = customer and b.expires_ms + 60000 <= now_ms;
      blocks := quota_blocks_at(customer, now_ms);
    end if;
    minute_used := minute_used + blocks.minute_used;
  end if;
  -- Processes look for expired blocks once a second.
  held_ms := greatest(0, coalesce(blocks.last_expiry + 1000 - now_ms, 0));

  select * into counted from quota_use u where u.customer_id = customer;
  is_counted := found;
  day_id := greatest(counted.day_id, today);
  month_id := greatest(counted.month_id, this_month);
  day_used := counted.day_count;
  month_used := counted.month_count;
  generation := coalesce(counted.generation, 0);
  is_restarted := false;
  if counted.per_day is not null and (day_limit is null or day_limit < counted.per_day) then
    day_used := 0;
    is_restarted := true;
  end if;
  if counted.per_month is not null and (month_limit is null or month_limit < counted.per_month) then
    month_used := 0;
    is_restarted := true;
  end if;
  if not is_counted or counted.day_id < today then day_used := 0; end if;
  if not is_counted or counted.month_id < this_month then month_used := 0; end if;

  admitted := least(units, minute_limit - minute_used);
  if costs_all then
    admitted := least(admitted, day_limit - day_used, month_limit - month_used);
  end if;
  admitted := greatest(0, admitted);
  leased := 0;
  if extra > 0 and admitted = units and costs_all then
    leased := greatest(0, least(
      extra,
      (minute_limit - 2 * (minute_used + admitted)::int8) * block_percent / 100,
      (day_limit - day_used - admitted)::int8 * block_percent / 100,
      (month_limit - month_used - admitted)::int8 * block_percent / 100))::int4;
  end if;
  if admitted + leased > 0 then
    if cardinality(ring.admitted_ms) = 0 or now_ms - ring.base_ms > 2000000000 then
      ring.admitted_ms := array(
        select (ring.base_ms + t - now_ms)::int4
        from unnest(ring.admitted_ms) with ordinality as old (t, place) order by place);
      ring.base_ms := now_ms;
    end if;
    if admitted = 1 then
      ring.admitted_ms := ring.admitted_ms || (now_ms - ring.base_ms)::int4;
    elsif admitted > 1 then
      ring.admitted_ms := ring.admitted_ms
        || array_fill((now_ms - ring.base_ms)::int4, array[admitted]);
    end if;
    minute_used := minute_used + admitted + leased;
    update quota_minute q
      set per_minute = minute_limit, base_ms = ring.base_ms, admitted_ms = ring.admitted_ms,
          has_blocks = leased > 0 or blocks.first_end is not null
      where q.customer_id = customer;
    if costs_all and (day_limit is not null or month_limit is not null or is_restarted) then
      if day_limit is not null then day_used := day_used + admitted + leased; end if;
      if month_limit is not null then month_used := month_used + admitted + leased; end if;
      if is_restarted then generation := generation + 1; end if;
      -- The id of a window without a limit stays.
      insert into quota_use values (
        customer,
        case when day_limit is null then coalesce(counted.day_id, 0) else day_id end,
        day_used, day_limit,
        case when month_limit is null then coalesce(counted.month_id, 0) else month_id end,
        month_used, month_limit, generation)
      on conflict (customer_id) do update
        set day_id = excluded.day_id, day_count = excluded.day_count, per_day = excluded.per_day,
            month_id = excluded.month_id, month_count = excluded.month_count,
            per_month = excluded.per_month, generation = excluded.generation;
    end if;
    if leased > 0 then
      insert into quota_block values (
        block, customer, leased,
        case when day_limit is null and month_limit is null then 0 else leased end,
        day_id, month_id, generation, now_ms + hold_ms);
    end if;
  end if;
  minute_free_ms := coalesce(
    least(
      case when cardinality(ring.admitted_ms) > 0 then ring.base_ms + ring.admitted_ms[1] end,
      blocks.first_used_ms),
    case when blocks.minute_used > 0 then blocks.first_expiry end,
    now_ms - 60000) + 60000 - now_ms;
  return next;
end
$$;
