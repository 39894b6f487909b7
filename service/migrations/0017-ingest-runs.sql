-- What became of each answer that was taken in, and of each request that brought none; kept for a
-- while.
create table ingest_run (
  id bigint generated always as identity primary key,
  provider text not null,
  feed text,
  datasets text[] not null,
  url text not null,
  started_at timestamptz not null,
  duration_ms double precision not null,
  outcome text not null check (outcome in ('ingested', 'rejected', 'unsupported', 'unavailable')),
  reason text,
  rows_seen integer not null,
  rows_new integer not null,
  rows_changed integer not null,
  rows_same integer not null,
  rows_quarantined integer not null
);
create index ingest_run_by_provider on ingest_run (provider, outcome, id);
create index ingest_run_by_outcome on ingest_run (outcome, id);
create index ingest_run_by_time on ingest_run (started_at);

-- Batches that operators asked for; their requests are in ingest_request.
create table ingest_batch (
  id text primary key,
  kind text not null check (kind in ('run', 'backfill')),
  provider text not null,
  feed text,
  from_day date,
  to_day date,
  requests integer not null,
  started_at timestamptz not null,
  started_by text not null
);
create index ingest_batch_by_time on ingest_batch (started_at, id);
