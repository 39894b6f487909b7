-- Blocks of requests that a process may admit without asking again. A block is counted when it is
-- leased: its day and month units in quota_use, its minute units as long as its row exists. Deleting
-- the row ends the block, so it cannot be returned twice. The table is unlogged: after a crash of the
-- server the units of a block count as used.
create unlogged table quota_block (
  token text primary key,
  customer_id text not null,
  minute_units int4 not null,
  quota_units int4 not null,
  day_id int4 not null,
  month_id int4 not null,
  generation int4 not null,
  -- The process stops using the block at this time of the server's clock.
  expires_ms int8 not null
) with (fillfactor = 70);
create index quota_block_by_customer on quota_block (customer_id);

-- False only for customers without blocks, so that most calls need not look for them.
alter table quota_minute add column has_blocks boolean not null default false;

-- Ends a block. Its requests enter the minute at their own times, and its unused units return to the
-- day and month, if the same windows still count. Does nothing for a block that has ended.
create function return_quota_block(
  customer text, block text, ages_ms int4[], unused int4, at_ms int8
) returns void language plpgsql as $$
declare
  held quota_block%rowtype;
  now_ms int8;
begin
  perform 1 from quota_minute q where q.customer_id = customer for update;
  delete from quota_block b where b.token = block and b.customer_id = customer returning * into held;
  if not found then return; end if;
  now_ms := coalesce(at_ms, floor(extract(epoch from clock_timestamp()) * 1000)::int8);
  if held.minute_units > 0 and cardinality(ages_ms) > 0 then
    with admitted as (
      select q.base_ms + t as ms from quota_minute q, unnest(q.admitted_ms) t
       where q.customer_id = customer and q.base_ms + t + 60000 > now_ms
      union all
      select now_ms - age from unnest(ages_ms) age where age < 60000
    ), ring as (
      select min(ms) as base_ms, array_agg(ms order by ms) as times from admitted
    )
    update quota_minute q
      set base_ms = ring.base_ms,
          admitted_ms = array(select (t - ring.base_ms)::int4 from unnest(ring.times) t)
      from ring
      where q.customer_id = customer and ring.base_ms is not null;
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

drop function take_quota(text, boolean, int4, int4, int4, int4, int4, int8);

-- Returns the process's last block, if there is one, and counts up to `units` requests of a customer
-- against all windows that they cost, in one round trip.
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
  returned text, ages_ms int4[], unused int4
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
  reserved int4;
  first_expiry int8;
  last_expiry int8;
begin
  if returned is not null then
    perform return_quota_block(customer, returned, ages_ms, unused, at_ms);
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
    if minute_limit < ring.per_minute then gone := minute_used; end if;
    while gone < minute_used
      and ring.base_ms + ring.admitted_ms[gone + 1] + 60000 <= now_ms
    loop
      gone := gone + 1;
    end loop;
    if gone > 0 then ring.admitted_ms := ring.admitted_ms[gone + 1:]; end if;
    minute_used := minute_used - gone;
  end if;

  -- Blocks that were not returned count as used at their end.
  reserved := 0;
  if ring.has_blocks then
    select coalesce(sum(b.minute_units), 0), min(b.expires_ms), max(b.expires_ms)
      into reserved, first_expiry, last_expiry
      from quota_block b where b.customer_id = customer;
  end if;
  if last_expiry > now_ms + hold_ms then
    update quota_block b set expires_ms = now_ms + hold_ms
      where b.customer_id = customer and b.expires_ms > now_ms + hold_ms;
    first_expiry := least(first_expiry, now_ms + hold_ms);
    last_expiry := now_ms + hold_ms;
  end if;
  if first_expiry + 60000 <= now_ms then
    delete from quota_block b where b.customer_id = customer and b.expires_ms + 60000 <= now_ms;
    select coalesce(sum(b.minute_units), 0), min(b.expires_ms), max(b.expires_ms)
      into reserved, first_expiry, last_expiry
      from quota_block b where b.customer_id = customer;
  end if;
  if reserved > 0 and minute_limit < ring.per_minute then
    update quota_block b set minute_units = 0 where b.customer_id = customer;
    update quota_minute q set per_minute = minute_limit, admitted_ms = ring.admitted_ms
      where q.customer_id = customer;
    reserved := 0;
  end if;
  minute_used := minute_used + reserved;
  -- Processes look for expired blocks once a second.
  held_ms := greatest(0, coalesce(last_expiry + 1000 - now_ms, 0));

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
  if admitted > 0 then
    if cardinality(ring.admitted_ms) = 0 or now_ms - ring.base_ms > 2000000000 then
      ring.admitted_ms := array(
        select (ring.base_ms + t - now_ms)::int4
        from unnest(ring.admitted_ms) with ordinality as old (t, place) order by place);
      ring.base_ms := now_ms;
    end if;
    if admitted = 1 then
      ring.admitted_ms := ring.admitted_ms || (now_ms - ring.base_ms)::int4;
    else
      ring.admitted_ms := ring.admitted_ms
        || array_fill((now_ms - ring.base_ms)::int4, array[admitted]);
    end if;
    minute_used := minute_used + admitted + leased;
    update quota_minute q
      set per_minute = minute_limit, base_ms = ring.base_ms, admitted_ms = ring.admitted_ms,
          has_blocks = leased > 0 or first_expiry is not null
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
  minute_free_ms := case
    when cardinality(ring.admitted_ms) > 0
      then ring.base_ms + ring.admitted_ms[1] + 60000 - now_ms
    when reserved > 0 then first_expiry + 60000 - now_ms
    else 0 end;
  return next;
end
$$;
