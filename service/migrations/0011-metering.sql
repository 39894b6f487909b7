-- What customers use of their plans, and what they asked.

-- Counts of the New York day (days since 1970-01-01) and month (months since the year 0) that each
-- customer reached last, and the limits they were counted under; null where there was none. Written
-- with every counted request, so pages keep room for new versions of a row in place.
create table quota_use (
  customer_id text primary key,
  day_id int4 not null,
  day_count int4 not null,
  per_day int4,
  month_id int4 not null,
  month_count int4 not null,
  per_month int4,
  generation int4 not null
) with (fillfactor = 50);

-- Of each customer, the admissions of the last minute in milliseconds after base_ms, oldest first;
-- several processes on one store share it. A crash of the server empties it: a minute long, at most
-- one limit too many is let through. Whole rows of 300 admissions still lie in their page.
create unlogged table quota_minute (
  customer_id text primary key,
  per_minute int4 not null,
  base_ms int8 not null,
  admitted_ms int4[] not null
) with (fillfactor = 30);

-- One request of a customer against all windows that it costs, in one round trip: the row of the
-- minute is the lock of all takes of that customer. at_ms stands in for the server's clock in tests.
-- A refused request changes nothing; one that costs the minute alone writes nothing that waits for a
-- disk. Returned is what counts afterwards.
create function take_quota(
  customer text, costs_all boolean,
  minute_limit int4, day_limit int4, month_limit int4,
  today int4, this_month int4, at_ms int8
) returns table (
  admitted boolean, minute_used int4, minute_free_ms int4,
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
begin
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

  admitted := minute_used < minute_limit
    and not (costs_all and (coalesce(day_used >= day_limit, false)
                            or coalesce(month_used >= month_limit, false)));
  if admitted then
    if minute_used = 0 or now_ms - ring.base_ms > 2000000000 then
      ring.admitted_ms := array(
        select (ring.base_ms + t - now_ms)::int4
        from unnest(ring.admitted_ms) with ordinality as old (t, place) order by place);
      ring.base_ms := now_ms;
    end if;
    ring.admitted_ms := ring.admitted_ms || (now_ms - ring.base_ms)::int4;
    minute_used := minute_used + 1;
    update quota_minute q
      set per_minute = minute_limit, base_ms = ring.base_ms, admitted_ms = ring.admitted_ms
      where q.customer_id = customer;
    if costs_all and (day_limit is not null or month_limit is not null or is_restarted) then
      if day_limit is not null then day_used := day_used + 1; end if;
      if month_limit is not null then month_used := month_used + 1; end if;
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
  end if;
  minute_free_ms := case when minute_used = 0 then 0
    else ring.base_ms + ring.admitted_ms[1] + 60000 - now_ms end;
  return next;
end
$$;

-- Gives one back in the day and month of a take, where they still stand; never below zero. The row of
-- the minute is held first, as a take does, so that neither overwrites the other.
create function refund_quota(customer text, of_day int4, of_month int4, of_generation int4)
returns void language plpgsql as $$
begin
  perform 1 from quota_minute q where q.customer_id = customer for update;
  update quota_use u
    set day_count = greatest(0, u.day_count - (u.day_id = of_day)::int4),
        month_count = greatest(0, u.month_count - (u.month_id = of_month)::int4)
    where u.customer_id = customer and u.generation = of_generation;
end
$$;

-- Requests by hour of UTC; the hours of a New York day add up to it.
create table usage_hour (
  customer_id text not null,
  hour timestamptz not null,
  key_id text not null,
  endpoint text not null,
  status int2 not null,
  requests int8 not null,
  primary key (customer_id, hour, key_id, endpoint, status)
);
create index usage_hour_by_hour on usage_hour (hour);

-- The latest requests, in the order of their answers.
create table request_log (
  id int8 generated always as identity primary key,
  at timestamptz not null,
  customer_id text not null,
  key_id text not null,
  method text not null,
  path text not null,
  status int2 not null,
  duration_ms float8 not null,
  request_id text not null
);
create index request_log_by_customer on request_log (customer_id, id);
create index request_log_by_time on request_log (at);
