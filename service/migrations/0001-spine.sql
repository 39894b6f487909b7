-- Facts and where they came from.

-- What this store is (sandbox or live), written once.
create table store_marker (
  name text primary key,
  value text not null
);

-- Bodies as the sources sent them, once each however often they were seen.
create table raw_body (
  sha256 bytea primary key,
  gzip bytea not null,
  size_bytes int8 not null
);

-- One answer of a source. The url has its secrets removed. feed and reason say what became of it.
create table raw_answer (
  id int8 generated always as identity primary key,
  provider text not null,
  feed text not null,
  url text not null,
  status int4 not null,
  content_type text not null,
  observed_at timestamptz not null,
  received_at timestamptz not null,
  body_sha256 bytea not null references raw_body (sha256),
  outcome text not null check (outcome in ('ingested', 'rejected')),
  reason text,
  unique (provider, feed, url, observed_at, body_sha256)
);
create index raw_answer_newest on raw_answer (provider, feed, received_at);

-- Every distinct thing a source ever said of one thing (its thread: provider, feed, natural key).
create table source_record (
  id int8 generated always as identity primary key,
  dataset text not null,
  subject text not null,
  provider text not null,
  feed text not null,
  natural_key text not null,
  fields_sha256 bytea not null,
  fields jsonb not null,
  unique (dataset, subject, provider, feed, natural_key, fields_sha256)
);

-- When it was said. Every sighting is kept: a late one may fall between two others. Without foreign
-- keys to source_record and raw_answer, from which nothing is ever removed: checking them took two
-- thirds of the time of adding the sightings of a long list.
create table sighting (
  record_id int8 not null,
  observed_at timestamptz not null,
  answer_id int8 not null,
  primary key (record_id, observed_at)
);

-- Rows of an answer that could not be read, whole, with the reason.
create table quarantined_row (
  id int8 generated always as identity primary key,
  answer_id int8 not null references raw_answer (id),
  dataset text not null,
  subject text,
  reason text not null,
  detail text not null,
  row_sha256 bytea not null,
  row_json jsonb not null,
  quarantined_at timestamptz not null,
  unique (answer_id, dataset, reason, row_sha256)
);

-- Well-read records that no canonical row of an owner could take in, derived anew at every merge.
-- The owner is a security, or a filer without one; the share classes of a filer hold each their own.
create table held_record (
  record_id int8 not null references source_record (id),
  dataset text not null,
  owner text not null,
  reason text not null,
  detail text not null,
  primary key (record_id, owner)
);
create index held_record_owner on held_record (dataset, owner);

create table security (
  id text primary key,
  symbol text not null,
  cik text,
  name text,
  exchange text,
  active boolean not null,
  reports boolean not null,
  listed_at timestamptz,
  symbols jsonb not null
);
create index security_cik on security (cik) where cik is not null;

-- Which security a symbol means, by date: from the first day (null: always) to the last (null: still).
create table security_symbol (
  symbol text not null,
  security_id text not null references security (id) deferrable initially deferred,
  valid_from date,
  valid_to date,
  primary key (symbol, security_id)
);
create index security_symbol_security on security_symbol (security_id);

-- Values that tick all day: the newest only, outside the versions.
create table quote (
  symbol text primary key,
  price numeric,
  price_date date,
  price_seen_at timestamptz,
  market_cap numeric,
  market_cap_seen_at timestamptz
);
create index quote_newest on quote (market_cap_seen_at);

-- Versions of earnings events; known_to is null on the version that stands.
create table earnings_event (
  version_id int8 generated always as identity primary key,
  id text not null,
  security_id text not null,
  symbol text not null,
  name text,
  date date not null,
  "time" text not null,
  date_status text not null,
  eps_estimate numeric,
  eps numeric,
  revenue_estimate numeric,
  revenue numeric,
  estimate_count int4,
  eps_year_ago numeric,
  fiscal_year int4,
  fiscal_quarter int4,
  fiscal_period_end date,
  eps_basis text,
  currency text not null,
  reported_at timestamptz,
  estimate_as_of timestamptz,
  marker_ahead boolean not null,
  split_factor numeric not null,
  source_url text,
  provenance jsonb not null,
  updated_at timestamptz not null,
  known_from timestamptz not null,
  known_to timestamptz
);
create unique index earnings_event_current on earnings_event (id) where known_to is null;
create index earnings_event_by_date on earnings_event (date) where known_to is null;
create index earnings_event_by_security on earnings_event (security_id) where known_to is null;
create index earnings_event_history on earnings_event (id, known_from);

-- Versions of company profiles.
create table profile (
  version_id int8 generated always as identity primary key,
  security_id text not null,
  symbol text not null,
  fields jsonb not null,
  provenance jsonb not null,
  updated_at timestamptz not null,
  known_from timestamptz not null,
  known_to timestamptz
);
create unique index profile_current on profile (security_id) where known_to is null;
create index profile_history on profile (security_id, known_from);

-- What changed, in the transaction that changed it: the outbox of deliveries.
create table change_record (
  id int8 generated always as identity primary key,
  dataset text not null,
  entity_id text not null,
  symbol text not null,
  changed_fields text[] not null,
  observed_at timestamptz not null,
  committed_at timestamptz not null
);
create index change_record_newest on change_record (dataset, committed_at);

-- Topics whose cached answers are stale since a commit; other processes read along by id.
create table commit_log (
  id int8 generated always as identity primary key,
  topics text[] not null,
  committed_at timestamptz not null
);

-- Which symbols lists ever gave to a filer.
create index source_record_filer on source_record ((fields->>'cik')) where dataset = 'securities';

-- Up to when each scheduled job has run.
create table job_progress (
  id text primary key,
  done_at timestamptz not null
);
