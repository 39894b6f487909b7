-- Background loops of running processes, reported every few seconds. Rows of a process that was
-- killed stay for a day. Index process_loop_pkey serves all statements.
create table process_loop (
  process text collate "C" not null,
  loop text collate "C" not null,
  last_success_at timestamptz,
  failing_since timestamptz,
  last_error text,
  is_failing boolean not null,
  reported_at timestamptz not null,
  primary key (process, loop)
);
