-- Who may gather, and what was asked for beyond the timetable.

-- One row a source: the process that asks it. `token` grows with every change of holder, and work
-- under an older one is refused; `beat` grows while the holder lives; `holder` is null when free.
create table ingest_lease (
  name text primary key,
  token int8 not null,
  beat int8 not null,
  holder text
);

-- Requests of back-fills and of runs asked for by hand, one row a URL (its secrets removed).
-- `day` is the day it was planned for; `done_at` and `outcome` are null while it is to be made.
create table ingest_request (
  provider text not null,
  feed text not null,
  url text not null,
  day date not null,
  batch text not null,
  urgent boolean not null,
  asked_at timestamptz not null,
  tries int4 not null default 0,
  done_at timestamptz,
  outcome text check (outcome in ('ingested', 'rejected', 'unavailable', 'dropped')),
  row_count int4 not null default 0,
  primary key (provider, feed, url),
  check ((done_at is null) = (outcome is null))
);
create index ingest_request_open on ingest_request (provider, urgent desc, day desc, url)
  where done_at is null;
create index ingest_request_batch on ingest_request (batch);
