-- What attempts came to by the hour, so that figures of weeks need not read each attempt.

-- One endpoint's attempts that began in an hour of UTC: how many ended so, and how long the ended
-- ones took. error: why they failed, empty when they did not. durations: without those of which it is
-- not known.
create table attempt_hour (
  endpoint_id text collate "C" not null,
  hour timestamptz not null,
  error text not null,
  attempts int4 not null,
  durations float8[] not null,
  primary key (endpoint_id, hour, error)
);
create index attempt_hour_by_hour on attempt_hour (hour);

-- One row: the hours from since and before until are in attempt_hour just as they are in
-- delivery_attempt; others have to be read there. Rows of attempt_hour outside them mean nothing.
create table attempt_hours_kept (
  is_only bool primary key default true check (is_only),
  since timestamptz not null,
  until timestamptz not null
);

-- Hours are kept only when nothing of them is under way, so that no attempt is added to them: adding
-- one, which is what happens thousands of times a second, costs nothing here. What was written can
-- still become known, and is removed one day. Both wait here for who is keeping hours just now, who
-- cannot see what they do: the updates have no condition, so that they wait in any case.
create function attempt_became_known() returns trigger language plpgsql as $$
begin
  update attempt_hours_kept
     set until = case when old.started_at < since then until
                      else least(until, date_trunc('hour', old.started_at, 'UTC')) end;
  return null;
end $$;
create trigger attempt_became_known after update on delivery_attempt
  for each row execute function attempt_became_known();

create function attempts_were_removed() returns trigger language plpgsql as $$
begin
  update attempt_hours_kept
     set since = greatest(since, (select date_trunc('hour', max(started_at), 'UTC')
                                         + interval '1 hour' from gone));
  return null;
end $$;
create trigger attempts_were_removed after delete on delivery_attempt
  referencing old table as gone for each statement execute function attempts_were_removed();

-- Deliveries that were tried more than a week after they were opened, which few are: whenever an
-- attempt is over, due_at is that moment or later.
create index delivery_tried_late on delivery (due_at) where due_at - created_at > interval '7 days';
