-- What a bad row says, where it can be read and only a rule keeps it out; null where it cannot be.
alter table quarantined_row add column parsed jsonb;
create index quarantined_row_by_reason on quarantined_row (dataset, reason, id);

-- What operators decided about rows in quarantine: about a record that no merge takes in, or about a
-- bad row, which is known again by its source and content. The newest word counts.
create table quarantine_decision (
  id bigint generated always as identity primary key,
  decision text not null check (decision in ('accepted', 'rejected')),
  why text not null,
  decided_at timestamptz not null,
  decided_by text not null,
  record_id bigint references source_record (id),
  row_id bigint references quarantined_row (id),
  provider text not null,
  feed text not null,
  dataset text not null,
  subject text,
  reason text not null,
  detail text not null,
  row_sha256 bytea,
  check ((record_id is null) = (row_id is not null)),
  check ((row_id is null) = (row_sha256 is null))
);
create unique index quarantine_decision_record on quarantine_decision (record_id)
  where record_id is not null;
create unique index quarantine_decision_row on quarantine_decision
  (provider, feed, dataset, row_sha256) where row_sha256 is not null;
