-- Filings as a list showed them, with the instants at which the service saw, served and posted their
-- results. It says after a restart which filings are known, and which documents are still to be read
-- (state open). is_live: seen while the list was followed, so that its delay counts.
create table filing (
  accession text collate "C" primary key,
  cik text not null,
  form text not null,
  items text[],
  accepted_at timestamptz,
  seen_at timestamptz not null,
  is_live boolean not null,
  state text not null check (state in ('open', 'done', 'failed')),
  served_at timestamptz,
  posted_at timestamptz
);
create index filing_open on filing (accession) where state = 'open';
create index filing_by_seen on filing (seen_at);
create index filing_unposted on filing (served_at) where served_at is not null and posted_at is null;
