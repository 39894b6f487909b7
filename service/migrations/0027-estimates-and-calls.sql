-- Pages about one company give the range of the analysts' estimates and the time of the conference
-- call. Reports stored before have neither until they are merged again.
alter table earnings_event
  add column call_at timestamptz,
  add column estimates jsonb;
