-- After a failover, each process looks up the commits that the lost primary had acknowledged to it.
-- One row per process and history of the server; "lost" has the number of missing commits by kind,
-- and "entries" describes up to a few hundred of each.
create table failover_report (
  process text collate "C" not null,
  history text collate "C" not null,
  compared_at timestamptz not null,
  compared int4 not null,
  is_complete boolean not null,
  lost jsonb not null,
  entries jsonb not null,
  primary key (process, history)
);

-- The number of commits by which a process has counted requests. Each changes the row before it
-- counts, so the row shows which of these commits a promoted standby has. Rows of ended processes
-- stay for a day.
create table quota_commit (
  process text collate "C" primary key,
  mark int8 not null,
  changed_at timestamptz not null
);
