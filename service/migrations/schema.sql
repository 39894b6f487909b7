-- The end state of all migrations; written by npm run gen, not by hand.

create table api_key (
  id text not null,
  customer_id text not null,
  hash bytea not null,
  prefix text not null,
  last4 text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  disabled_at timestamp with time zone,
  revoked_at timestamp with time zone,
  name text default ''::text not null,
  scopes text[] default '{read}'::text[] not null,
  allowed_cidrs text[],
  rolled_to text,
  deleted_at timestamp with time zone,
  changed_version bigint default 0 not null,
  created_by jsonb,
  created_by_person text,
  constraint api_key_pkey PRIMARY KEY (id),
  constraint api_key_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint api_key_hash_key UNIQUE (hash),
  constraint api_key_scopes_check CHECK (((scopes <@ '{read,manage}'::text[]) AND (cardinality(scopes) > 0)))
);
CREATE INDEX api_key_by_change ON api_key USING btree (changed_version);
CREATE INDEX api_key_by_creator ON api_key USING btree (created_by_person) WHERE (created_by_person IS NOT NULL);
CREATE INDEX api_key_by_customer ON api_key USING btree (customer_id);
CREATE INDEX api_key_by_deletion ON api_key USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

create table api_key_use (
  key_id text not null,
  last_used_at timestamp with time zone not null,
  constraint api_key_use_pkey PRIMARY KEY (key_id),
  constraint api_key_use_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_key(id) ON DELETE CASCADE
);

create table attempt_hour (
  endpoint_id text not null,
  hour timestamp with time zone not null,
  error text not null,
  attempts integer not null,
  durations double precision[] not null,
  constraint attempt_hour_pkey PRIMARY KEY (endpoint_id, hour, error)
);
CREATE INDEX attempt_hour_by_hour ON attempt_hour USING btree (hour);

create table attempt_hours_kept (
  is_only boolean default true not null,
  since timestamp with time zone not null,
  until timestamp with time zone not null,
  constraint attempt_hours_kept_pkey PRIMARY KEY (is_only),
  constraint attempt_hours_kept_is_only_check CHECK (is_only)
);

create table audit_event (
  id bigint generated always as identity not null,
  at timestamp with time zone not null,
  actor_kind text not null,
  actor_id text,
  actor_label text not null,
  address text,
  act text not null,
  customer_id text,
  subject text,
  details jsonb not null,
  chain_no bigint,
  previous_hash bytea,
  hash bytea,
  constraint audit_event_pkey PRIMARY KEY (id),
  constraint audit_event_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['person'::text, 'key'::text, 'cli'::text, 'system'::text])))
);
CREATE INDEX audit_event_by_actor ON audit_event USING btree (actor_id, id) WHERE (actor_id IS NOT NULL);
CREATE UNIQUE INDEX audit_event_by_chain ON audit_event USING btree (COALESCE(customer_id, ''::text), chain_no);
CREATE INDEX audit_event_by_customer ON audit_event USING btree (customer_id, id);
CREATE INDEX audit_event_by_time ON audit_event USING btree (at);
CREATE INDEX audit_event_unchained ON audit_event USING btree (id) WHERE ((chain_no IS NULL) OR (previous_hash IS NULL) OR (hash IS NULL));

create table cell_gap (
  found_at timestamp with time zone default clock_timestamp() not null,
  detail text not null,
  constraint cell_gap_pkey PRIMARY KEY (found_at)
);

create table change_record (
  id bigint generated always as identity not null,
  dataset text not null,
  entity_id text not null,
  symbol text not null,
  changed_fields text[] not null,
  observed_at timestamp with time zone not null,
  committed_at timestamp with time zone not null,
  kind text not null,
  fields jsonb,
  constraint change_record_pkey PRIMARY KEY (id),
  constraint change_record_kind_check CHECK ((kind = ANY (ARRAY['added'::text, 'changed'::text, 'removed'::text])))
);
CREATE INDEX change_record_by_dataset ON change_record USING btree (dataset, id);
CREATE INDEX change_record_by_symbol ON change_record USING btree (symbol, id);
CREATE INDEX change_record_by_time ON change_record USING btree (committed_at, id);
CREATE INDEX change_record_renamed ON change_record USING btree ((((fields -> 'symbol'::text) ->> 'from'::text)), id) WHERE (((fields -> 'symbol'::text) ->> 'from'::text) IS NOT NULL);

create table commit_log (
  id bigint generated always as identity not null,
  topics text[] not null,
  committed_at timestamp with time zone not null,
  constraint commit_log_pkey PRIMARY KEY (id)
);

create table customer (
  id text not null,
  name text not null,
  plan text not null,
  created_at timestamp with time zone not null,
  suspended_at timestamp with time zone,
  deleted_at timestamp with time zone,
  changed_version bigint default 0 not null,
  move_state text,
  move_token text,
  moved_to text,
  moved_to_url text,
  constraint customer_pkey PRIMARY KEY (id),
  constraint customer_move_state_check CHECK ((move_state = ANY (ARRAY['leaving'::text, 'closing'::text, 'moved'::text, 'arriving'::text]))),
  constraint customer_plan_fkey FOREIGN KEY (plan) REFERENCES plan(name)
);
CREATE INDEX customer_by_change ON customer USING btree (changed_version);
CREATE UNIQUE INDEX customer_by_name ON customer USING btree (name) WHERE (deleted_at IS NULL);
CREATE INDEX customer_by_plan ON customer USING btree (plan);

create table delivery (
  id text not null,
  customer_id text not null,
  endpoint_id text not null,
  template_id text not null,
  event_type text not null,
  symbol text not null,
  state text not null,
  is_test boolean default false not null,
  names_all boolean default false not null,
  changed_fields text[] default '{}'::text[] not null,
  may_have_left boolean default false not null,
  sent_data text,
  replay_of text,
  superseded_by text,
  changed_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  first_attempt_at timestamp with time zone,
  delivered_at timestamp with time zone,
  finished_at timestamp with time zone,
  response_status integer,
  attempt_count integer default 0 not null,
  unknown_count integer default 0 not null,
  max_attempts integer default 12 not null,
  last_error_code text,
  constraint delivery_pkey PRIMARY KEY (id),
  constraint delivery_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'in_progress'::text, 'retrying'::text, 'held'::text, 'delivered'::text, 'failed'::text, 'superseded'::text, 'cancelled'::text])))
);
CREATE INDEX delivery_by_endpoint ON delivery USING btree (endpoint_id, id);
CREATE INDEX delivery_due ON delivery USING btree (endpoint_id, due_at, id) WHERE (state = ANY (ARRAY['pending'::text, 'retrying'::text]));
CREATE INDEX delivery_ended_otherwise ON delivery USING btree (endpoint_id, id) WHERE (state = ANY (ARRAY['held'::text, 'failed'::text, 'superseded'::text, 'cancelled'::text]));
CREATE INDEX delivery_tried_late ON delivery USING btree (due_at) WHERE ((due_at - created_at) > '1 day'::interval);
CREATE UNIQUE INDEX delivery_waiting ON delivery USING btree (endpoint_id, template_id, symbol) WHERE ((state = ANY (ARRAY['pending'::text, 'retrying'::text, 'held'::text])) AND (NOT is_test));

create table delivery_attempt (
  delivery_id text not null,
  n integer not null,
  state text not null,
  claim_token text not null,
  started_at timestamp with time zone not null,
  duration_ms double precision,
  dns_ms double precision,
  connect_ms double precision,
  tls_ms double precision,
  first_byte_ms double precision,
  request_headers json,
  request_body text not null,
  remote_address text,
  response_status integer,
  response_headers json,
  response_body text,
  truncated boolean default false not null,
  error_code text,
  error_detail text,
  constraint delivery_attempt_pkey PRIMARY KEY (delivery_id, n),
  constraint delivery_attempt_state_check CHECK ((state = ANY (ARRAY['started'::text, 'finished'::text, 'unknown'::text])))
);

create table delivery_claim (
  token text not null,
  claimed_at timestamp with time zone not null,
  lease_until timestamp with time zone not null,
  size integer not null,
  done integer[] default '{}'::integer[] not null,
  delivery_ids text[] not null,
  endpoint_ids text[] not null,
  symbols text[] not null,
  attempts integer[] not null,
  changed_fields text[] not null,
  data integer[] not null,
  texts text[] not null,
  constraint delivery_claim_pkey PRIMARY KEY (token)
);

create table dividend (
  version_id bigint generated always as identity not null,
  id text not null,
  security_id text not null,
  symbol text not null,
  name text,
  ex_date date not null,
  record_date date,
  payment_date date,
  declaration_date date,
  amount numeric,
  split_adjusted_amount numeric,
  currency text not null,
  type text not null,
  frequency text,
  annualized_amount numeric,
  status text not null,
  flags jsonb not null,
  provenance jsonb not null,
  updated_at timestamp with time zone not null,
  known_from timestamp with time zone not null,
  known_to timestamp with time zone,
  constraint dividend_pkey PRIMARY KEY (version_id)
);
CREATE INDEX dividend_by_ex_date ON dividend USING btree (ex_date) WHERE (known_to IS NULL);
CREATE INDEX dividend_by_ex_date_ever ON dividend USING btree (ex_date, known_from);
CREATE INDEX dividend_by_security ON dividend USING btree (security_id) WHERE (known_to IS NULL);
CREATE UNIQUE INDEX dividend_current ON dividend USING btree (id) WHERE (known_to IS NULL);
CREATE INDEX dividend_history ON dividend USING btree (id, known_from);

create table earnings_event (
  version_id bigint generated always as identity not null,
  id text not null,
  security_id text not null,
  symbol text not null,
  name text,
  date date not null,
  time text not null,
  date_status text not null,
  eps_estimate numeric,
  eps numeric,
  revenue_estimate numeric,
  revenue numeric,
  estimate_count integer,
  eps_year_ago numeric,
  fiscal_year integer,
  fiscal_quarter integer,
  fiscal_period_end date,
  eps_basis text,
  currency text not null,
  reported_at timestamp with time zone,
  estimate_as_of timestamp with time zone,
  marker_ahead boolean not null,
  split_factor numeric not null,
  source_url text,
  provenance jsonb not null,
  updated_at timestamp with time zone not null,
  known_from timestamp with time zone not null,
  known_to timestamp with time zone,
  revenue_estimate_as_of timestamp with time zone,
  eps_gaap numeric,
  eps_comparable boolean default true not null,
  call_at timestamp with time zone,
  estimates jsonb,
  projection jsonb,
  guidance jsonb,
  constraint earnings_event_pkey PRIMARY KEY (version_id)
);
CREATE INDEX earnings_event_by_date ON earnings_event USING btree (date) WHERE (known_to IS NULL);
CREATE INDEX earnings_event_by_date_ever ON earnings_event USING btree (date, known_from);
CREATE INDEX earnings_event_by_security ON earnings_event USING btree (security_id) WHERE (known_to IS NULL);
CREATE INDEX earnings_event_by_security_ever ON earnings_event USING btree (security_id, known_from);
CREATE UNIQUE INDEX earnings_event_current ON earnings_event USING btree (id) WHERE (known_to IS NULL);
CREATE INDEX earnings_event_history ON earnings_event USING btree (id, known_from);
CREATE INDEX earnings_event_projected ON earnings_event USING btree (date, symbol) WHERE ((known_to IS NULL) AND (projection IS NOT NULL));

create table economic_event (
  version_id bigint generated always as identity not null,
  id text not null,
  country text not null,
  country_code text,
  event_name text not null,
  date date not null,
  time text not null,
  scheduled_at timestamp with time zone,
  time_status text not null,
  actual text,
  consensus text,
  previous text,
  revised text,
  actual_value numeric,
  consensus_value numeric,
  previous_value numeric,
  revised_value numeric,
  unit text,
  measure text,
  period text,
  importance integer not null,
  us_major boolean not null,
  source_url text,
  provenance jsonb not null,
  updated_at timestamp with time zone not null,
  known_from timestamp with time zone not null,
  known_to timestamp with time zone,
  constraint economic_event_pkey PRIMARY KEY (version_id)
);
CREATE INDEX economic_event_by_date ON economic_event USING btree (date) WHERE (known_to IS NULL);
CREATE INDEX economic_event_by_date_ever ON economic_event USING btree (date, known_from);
CREATE UNIQUE INDEX economic_event_current ON economic_event USING btree (id) WHERE (known_to IS NULL);
CREATE INDEX economic_event_history ON economic_event USING btree (id, known_from);

create table failover_report (
  process text not null,
  history text not null,
  compared_at timestamp with time zone not null,
  compared integer not null,
  is_complete boolean not null,
  lost jsonb not null,
  entries jsonb not null,
  constraint failover_report_pkey PRIMARY KEY (process, history)
);

create table filed_split (
  security_id text not null,
  after_date date not null,
  date date not null,
  numerator bigint not null,
  denominator bigint not null,
  provider text not null,
  feed text not null,
  seen_at timestamp with time zone not null,
  constraint filed_split_pkey PRIMARY KEY (security_id, date)
);

create table filing (
  accession text not null,
  cik text not null,
  form text not null,
  items text[],
  accepted_at timestamp with time zone,
  seen_at timestamp with time zone not null,
  is_live boolean not null,
  state text not null,
  served_at timestamp with time zone,
  posted_at timestamp with time zone,
  constraint filing_pkey PRIMARY KEY (accession),
  constraint filing_state_check CHECK ((state = ANY (ARRAY['open'::text, 'done'::text, 'failed'::text])))
);
CREATE INDEX filing_by_seen ON filing USING btree (seen_at);
CREATE INDEX filing_open ON filing USING btree (accession) WHERE (state = 'open'::text);
CREATE INDEX filing_unposted ON filing USING btree (served_at) WHERE ((served_at IS NOT NULL) AND (posted_at IS NULL));

create table gathering_beat (
  is_only boolean default true not null,
  number bigint not null,
  beat_at timestamp with time zone not null,
  newest_change_id bigint not null,
  change_count integer not null,
  constraint gathering_beat_pkey PRIMARY KEY (is_only),
  constraint gathering_beat_is_only_check CHECK (is_only)
);

create table held_record (
  record_id bigint not null,
  dataset text not null,
  owner text not null,
  reason text not null,
  detail text not null,
  constraint held_record_pkey PRIMARY KEY (record_id, owner),
  constraint held_record_record_id_fkey FOREIGN KEY (record_id) REFERENCES source_record(id)
);
CREATE INDEX held_record_owner ON held_record USING btree (dataset, owner);

create table idempotent_call (
  caller text not null,
  key text not null,
  fingerprint text not null,
  token text not null,
  created_at timestamp with time zone not null,
  lease_until timestamp with time zone not null,
  took_effect boolean default false not null,
  response text,
  constraint idempotent_call_pkey PRIMARY KEY (caller, key)
);
CREATE INDEX idempotent_call_by_age ON idempotent_call USING btree (created_at);

create table ingest_batch (
  id text not null,
  kind text not null,
  provider text not null,
  feed text,
  from_day date,
  to_day date,
  requests integer not null,
  started_at timestamp with time zone not null,
  started_by text not null,
  constraint ingest_batch_pkey PRIMARY KEY (id),
  constraint ingest_batch_kind_check CHECK ((kind = ANY (ARRAY['run'::text, 'backfill'::text])))
);
CREATE INDEX ingest_batch_by_time ON ingest_batch USING btree (started_at, id);

create table ingest_lease (
  name text not null,
  token bigint not null,
  beat bigint not null,
  holder text,
  constraint ingest_lease_pkey PRIMARY KEY (name)
);

create table ingest_request (
  provider text not null,
  feed text not null,
  url text not null,
  day date not null,
  batch text not null,
  urgent boolean not null,
  asked_at timestamp with time zone not null,
  tries integer default 0 not null,
  done_at timestamp with time zone,
  outcome text,
  row_count integer default 0 not null,
  constraint ingest_request_pkey PRIMARY KEY (provider, feed, url),
  constraint ingest_request_check CHECK (((done_at IS NULL) = (outcome IS NULL))),
  constraint ingest_request_outcome_check CHECK ((outcome = ANY (ARRAY['ingested'::text, 'rejected'::text, 'unavailable'::text, 'dropped'::text])))
);
CREATE INDEX ingest_request_batch ON ingest_request USING btree (batch);
CREATE INDEX ingest_request_open ON ingest_request USING btree (provider, urgent DESC, day DESC, url) WHERE (done_at IS NULL);

create table ingest_run (
  id bigint generated always as identity not null,
  provider text not null,
  feed text,
  datasets text[] not null,
  url text not null,
  started_at timestamp with time zone not null,
  duration_ms double precision not null,
  outcome text not null,
  reason text,
  rows_seen integer not null,
  rows_new integer not null,
  rows_changed integer not null,
  rows_same integer not null,
  rows_quarantined integer not null,
  constraint ingest_run_pkey PRIMARY KEY (id),
  constraint ingest_run_outcome_check CHECK ((outcome = ANY (ARRAY['ingested'::text, 'rejected'::text, 'unsupported'::text, 'unavailable'::text])))
);
CREATE INDEX ingest_run_by_outcome ON ingest_run USING btree (outcome, id);
CREATE INDEX ingest_run_by_provider ON ingest_run USING btree (provider, outcome, id);
CREATE INDEX ingest_run_by_time ON ingest_run USING btree (started_at);

create table ipo (
  version_id bigint generated always as identity not null,
  id text not null,
  subject text not null,
  symbol text,
  company_name text not null,
  exchange text,
  mic text,
  date date,
  date_status text not null,
  status text not null,
  offering_type text,
  price_low numeric,
  price_high numeric,
  price numeric,
  shares numeric,
  deal_size numeric,
  currency text not null,
  filed_date date,
  priced_date date,
  withdrawn_date date,
  underwriters jsonb not null,
  lockup_expiration date,
  cik text,
  filing_url text,
  provenance jsonb not null,
  updated_at timestamp with time zone not null,
  known_from timestamp with time zone not null,
  known_to timestamp with time zone,
  constraint ipo_pkey PRIMARY KEY (version_id)
);
CREATE INDEX ipo_by_subject ON ipo USING btree (subject) WHERE (known_to IS NULL);
CREATE UNIQUE INDEX ipo_current ON ipo USING btree (id) WHERE (known_to IS NULL);
CREATE INDEX ipo_history ON ipo USING btree (id, known_from);
CREATE INDEX ipo_open ON ipo USING btree (status, date) WHERE (known_to IS NULL);

create table job_progress (
  id text not null,
  done_at timestamp with time zone not null,
  constraint job_progress_pkey PRIMARY KEY (id)
);

create table key_ring_version (
  only_row boolean default true not null,
  version bigint not null,
  reload_version bigint default 0 not null,
  constraint key_ring_version_pkey PRIMARY KEY (only_row),
  constraint key_ring_version_only_row_check CHECK (only_row)
);

create table known_address (
  person_id text not null,
  address text not null,
  seen_at timestamp with time zone not null,
  constraint known_address_pkey PRIMARY KEY (person_id, address),
  constraint known_address_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE
);

create table listed_day (
  dataset text not null,
  provider text not null,
  feed text not null,
  day date not null,
  observed_at timestamp with time zone not null,
  row_count integer not null,
  constraint listed_day_pkey PRIMARY KEY (dataset, provider, feed, day, observed_at)
);

create table market_override (
  id bigint generated always as identity not null,
  market_date date not null,
  kind text not null,
  open_minute integer,
  close_minute integer,
  reason text not null,
  note text,
  created_at timestamp with time zone not null,
  created_by text not null,
  revoked_at timestamp with time zone,
  revoked_by text,
  constraint market_override_pkey PRIMARY KEY (id),
  constraint market_override_check CHECK (((kind = 'late-open'::text) = (open_minute IS NOT NULL))),
  constraint market_override_check1 CHECK (((kind = 'early-close'::text) = (close_minute IS NOT NULL))),
  constraint market_override_check2 CHECK (((revoked_at IS NULL) = (revoked_by IS NULL))),
  constraint market_override_close_minute_check CHECK (((close_minute >= 0) AND (close_minute <= 1439))),
  constraint market_override_kind_check CHECK ((kind = ANY (ARRAY['closed'::text, 'early-close'::text, 'late-open'::text]))),
  constraint market_override_open_minute_check CHECK (((open_minute >= 0) AND (open_minute <= 1439))),
  constraint market_override_reason_check CHECK ((reason <> ''::text))
);
CREATE INDEX market_override_standing ON market_override USING btree (market_date) WHERE (revoked_at IS NULL);

create table membership (
  person_id text not null,
  customer_id text,
  role text not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  constraint membership_check CHECK (((role = 'operator'::text) = (customer_id IS NULL))),
  constraint membership_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint membership_person_id_customer_id_key UNIQUE NULLS NOT DISTINCT (person_id, customer_id),
  constraint membership_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE,
  constraint membership_role_check CHECK ((role = ANY (ARRAY['operator'::text, 'owner'::text, 'member'::text])))
);
CREATE INDEX membership_by_customer ON membership USING btree (customer_id);

create table one_time_link (
  id text not null,
  hash bytea not null,
  kind text not null,
  email text,
  role text,
  customer_id text,
  person_id text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  invited_by text,
  tries integer default 0 not null,
  constraint one_time_link_pkey PRIMARY KEY (id),
  constraint one_time_link_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint one_time_link_hash_key UNIQUE (hash),
  constraint one_time_link_kind_check CHECK ((kind = ANY (ARRAY['setup'::text, 'invitation'::text, 'password-reset'::text]))),
  constraint one_time_link_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE,
  constraint one_time_link_role_check CHECK ((role = ANY (ARRAY['operator'::text, 'owner'::text, 'member'::text])))
);
CREATE INDEX one_time_link_by_customer ON one_time_link USING btree (customer_id);
CREATE INDEX one_time_link_by_inviter ON one_time_link USING btree (invited_by) WHERE (invited_by IS NOT NULL);
CREATE INDEX one_time_link_by_person ON one_time_link USING btree (person_id);

create table person (
  id text not null,
  email text not null,
  email_key text not null,
  password_hash text,
  totp_secret text,
  totp_confirmed_at timestamp with time zone,
  totp_last_step bigint,
  created_at timestamp with time zone not null,
  constraint person_pkey PRIMARY KEY (id)
);
CREATE INDEX person_by_email ON person USING btree (email_key);

create table plan (
  name text not null,
  per_minute integer not null,
  per_day integer,
  per_month integer,
  history_months integer,
  watchlists_max integer default 50 not null,
  watchlist_companies_max integer default 1000 not null,
  compute_ms_per_minute integer default 30000,
  constraint plan_pkey PRIMARY KEY (name),
  constraint plan_compute_ms_per_minute_check CHECK ((compute_ms_per_minute > 0)),
  constraint plan_history_months_check CHECK ((history_months > 0)),
  constraint plan_per_day_check CHECK ((per_day > 0)),
  constraint plan_per_minute_check CHECK ((per_minute > 0)),
  constraint plan_per_month_check CHECK ((per_month > 0)),
  constraint plan_watchlist_companies_max_check CHECK ((watchlist_companies_max > 0)),
  constraint plan_watchlists_max_check CHECK ((watchlists_max > 0))
);

create table price_bar (
  symbol text not null,
  date date not null,
  provider text not null,
  feed text not null,
  list text,
  basis_date date not null,
  open numeric,
  high numeric,
  low numeric,
  close numeric not null,
  previous_close numeric,
  volume bigint,
  held text,
  observed_at timestamp with time zone not null,
  answer_id bigint not null,
  market_cap numeric,
  constraint price_bar_pkey PRIMARY KEY (symbol, date, provider, feed)
);
CREATE INDEX price_bar_by_date ON price_bar USING btree (date, list);

create table price_night (
  provider text not null,
  feed text not null,
  list text not null,
  date date not null,
  content_date date not null,
  parent_date date,
  relation text,
  held text,
  served_date date,
  row_count integer,
  stale_count integer,
  unlike text[] default '{}'::text[] not null,
  constraint price_night_pkey PRIMARY KEY (provider, feed, list, date)
);

create table process_loop (
  process text not null,
  loop text not null,
  last_success_at timestamp with time zone,
  failing_since timestamp with time zone,
  last_error text,
  is_failing boolean not null,
  reported_at timestamp with time zone not null,
  constraint process_loop_pkey PRIMARY KEY (process, loop)
);

create table profile (
  version_id bigint generated always as identity not null,
  security_id text not null,
  symbol text not null,
  fields jsonb not null,
  provenance jsonb not null,
  updated_at timestamp with time zone not null,
  known_from timestamp with time zone not null,
  known_to timestamp with time zone,
  constraint profile_pkey PRIMARY KEY (version_id)
);
CREATE UNIQUE INDEX profile_current ON profile USING btree (security_id) WHERE (known_to IS NULL);
CREATE INDEX profile_history ON profile USING btree (security_id, known_from);

create table quarantine_decision (
  id bigint generated always as identity not null,
  decision text not null,
  why text not null,
  decided_at timestamp with time zone not null,
  decided_by text not null,
  record_id bigint,
  row_id bigint,
  provider text not null,
  feed text not null,
  dataset text not null,
  subject text,
  reason text not null,
  detail text not null,
  row_sha256 bytea,
  constraint quarantine_decision_pkey PRIMARY KEY (id),
  constraint quarantine_decision_check CHECK (((record_id IS NULL) = (row_id IS NOT NULL))),
  constraint quarantine_decision_check1 CHECK (((row_id IS NULL) = (row_sha256 IS NULL))),
  constraint quarantine_decision_decision_check CHECK ((decision = ANY (ARRAY['accepted'::text, 'rejected'::text]))),
  constraint quarantine_decision_record_id_fkey FOREIGN KEY (record_id) REFERENCES source_record(id),
  constraint quarantine_decision_row_id_fkey FOREIGN KEY (row_id) REFERENCES quarantined_row(id)
);
CREATE UNIQUE INDEX quarantine_decision_record ON quarantine_decision USING btree (record_id) WHERE (record_id IS NOT NULL);
CREATE UNIQUE INDEX quarantine_decision_row ON quarantine_decision USING btree (provider, feed, dataset, row_sha256) WHERE (row_sha256 IS NOT NULL);

create table quarantined_row (
  id bigint generated always as identity not null,
  answer_id bigint not null,
  dataset text not null,
  subject text,
  reason text not null,
  detail text not null,
  row_sha256 bytea not null,
  row_json jsonb not null,
  quarantined_at timestamp with time zone not null,
  parsed jsonb,
  constraint quarantined_row_pkey PRIMARY KEY (id),
  constraint quarantined_row_answer_id_dataset_reason_row_sha256_key UNIQUE (answer_id, dataset, reason, row_sha256),
  constraint quarantined_row_answer_id_fkey FOREIGN KEY (answer_id) REFERENCES raw_answer(id)
);
CREATE INDEX quarantined_row_by_content ON quarantined_row USING btree (row_sha256);
CREATE INDEX quarantined_row_by_reason ON quarantined_row USING btree (dataset, reason, id);

create table quota_block (
  token text not null,
  customer_id text not null,
  minute_units integer not null,
  quota_units integer not null,
  day_id integer not null,
  month_id integer not null,
  generation integer not null,
  expires_ms bigint not null,
  base_ms bigint,
  used_ms integer[],
  constraint quota_block_pkey PRIMARY KEY (token)
);
CREATE INDEX quota_block_by_customer ON quota_block USING btree (customer_id);

create table quota_commit (
  process text not null,
  mark bigint not null,
  changed_at timestamp with time zone not null,
  constraint quota_commit_pkey PRIMARY KEY (process)
);

create table quota_minute (
  customer_id text not null,
  per_minute integer not null,
  base_ms bigint not null,
  admitted_ms integer[] not null,
  has_blocks boolean default false not null,
  constraint quota_minute_pkey PRIMARY KEY (customer_id)
);

create table quota_use (
  customer_id text not null,
  day_id integer not null,
  day_count integer not null,
  per_day integer,
  month_id integer not null,
  month_count integer not null,
  per_month integer,
  generation integer not null,
  constraint quota_use_pkey PRIMARY KEY (customer_id)
);

create table quote (
  symbol text not null,
  price numeric,
  price_date date,
  price_seen_at timestamp with time zone,
  market_cap numeric,
  market_cap_seen_at timestamp with time zone,
  constraint quote_pkey PRIMARY KEY (symbol)
);
CREATE INDEX quote_newest ON quote USING btree (market_cap_seen_at);

create table raw_answer (
  id bigint generated always as identity not null,
  provider text not null,
  feed text not null,
  url text not null,
  status integer not null,
  content_type text not null,
  observed_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  body_sha256 bytea not null,
  outcome text not null,
  reason text,
  constraint raw_answer_pkey PRIMARY KEY (id),
  constraint raw_answer_body_sha256_fkey FOREIGN KEY (body_sha256) REFERENCES raw_body(sha256),
  constraint raw_answer_outcome_check CHECK ((outcome = ANY (ARRAY['ingested'::text, 'rejected'::text]))),
  constraint raw_answer_provider_feed_url_observed_at_body_sha256_key UNIQUE (provider, feed, url, observed_at, body_sha256)
);
CREATE INDEX raw_answer_newest ON raw_answer USING btree (provider, feed, received_at);
CREATE INDEX raw_answer_observed ON raw_answer USING btree (provider, feed, observed_at);

create table raw_body (
  sha256 bytea not null,
  gzip bytea not null,
  size_bytes bigint not null,
  constraint raw_body_pkey PRIMARY KEY (sha256)
);

create table recovery_code (
  person_id text not null,
  hash bytea not null,
  constraint recovery_code_pkey PRIMARY KEY (person_id, hash),
  constraint recovery_code_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE
);

create table replica_beat (
  is_only boolean default true not null,
  beat_at timestamp with time zone not null,
  constraint replica_beat_pkey PRIMARY KEY (is_only),
  constraint replica_beat_is_only_check CHECK (is_only)
);

create table request_log (
  id bigint generated always as identity not null,
  at timestamp with time zone not null,
  customer_id text not null,
  key_id text not null,
  method text not null,
  path text not null,
  status smallint not null,
  duration_ms double precision not null,
  request_id text not null,
  constraint request_log_pkey PRIMARY KEY (id)
);
CREATE INDEX request_log_by_customer ON request_log USING btree (customer_id, id);
CREATE INDEX request_log_by_time ON request_log USING btree (at);

create table schema_migration (
  number integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_migration_pkey PRIMARY KEY (number)
);

create table security (
  id text not null,
  symbol text not null,
  cik text,
  name text,
  exchange text,
  active boolean not null,
  reports boolean not null,
  listed_at timestamp with time zone,
  symbols jsonb not null,
  former_ciks jsonb default '[]'::jsonb not null,
  constraint security_pkey PRIMARY KEY (id)
);
CREATE INDEX security_cik ON security USING btree (cik) WHERE (cik IS NOT NULL);
CREATE INDEX security_former_ciks ON security USING gin (former_ciks);

create table security_symbol (
  symbol text not null,
  security_id text not null,
  valid_from date,
  valid_to date,
  constraint security_symbol_pkey PRIMARY KEY (symbol, security_id),
  constraint security_symbol_security_id_fkey FOREIGN KEY (security_id) REFERENCES security(id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX security_symbol_security ON security_symbol USING btree (security_id);

create table security_version (
  version_id bigint generated always as identity not null,
  id text not null,
  symbol text not null,
  cik text,
  name text,
  exchange text,
  active boolean not null,
  reports boolean not null,
  listed_at timestamp with time zone,
  symbols jsonb not null,
  known_from timestamp with time zone not null,
  known_to timestamp with time zone,
  former_ciks jsonb default '[]'::jsonb not null,
  constraint security_version_pkey PRIMARY KEY (version_id)
);
CREATE UNIQUE INDEX security_version_current ON security_version USING btree (id) WHERE (known_to IS NULL);
CREATE INDEX security_version_symbols ON security_version USING gin (symbols jsonb_path_ops);

create table session (
  id text not null,
  person_id text not null,
  token_hash bytea not null,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  password_at timestamp with time zone not null,
  address text,
  user_agent text,
  customer_id text,
  constraint session_pkey PRIMARY KEY (id),
  constraint session_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON DELETE CASCADE,
  constraint session_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX session_by_expiry ON session USING btree (expires_at);
CREATE INDEX session_by_person ON session USING btree (person_id);

create table share_split (
  symbol text not null,
  date date not null,
  provider text not null,
  feed text not null,
  numerator bigint not null,
  denominator bigint not null,
  seen_at timestamp with time zone not null,
  constraint share_split_pkey PRIMARY KEY (symbol, date, provider, feed)
);
CREATE INDEX share_split_by_date ON share_split USING btree (date);

create table sighting (
  record_id bigint not null,
  observed_at timestamp with time zone not null,
  answer_id bigint not null,
  constraint sighting_pkey PRIMARY KEY (record_id, observed_at)
);

create table sign_in_allowance (
  bucket text not null,
  full_at timestamp with time zone not null,
  constraint sign_in_allowance_pkey PRIMARY KEY (bucket)
);
CREATE INDEX sign_in_allowance_by_time ON sign_in_allowance USING btree (full_at);

create table source (
  name text not null,
  title text not null,
  homepage text not null,
  redistribution text not null,
  terms text not null,
  is_asked boolean not null,
  feeds jsonb not null,
  constraint source_pkey PRIMARY KEY (name)
);

create table source_record (
  id bigint generated always as identity not null,
  dataset text not null,
  subject text not null,
  provider text not null,
  feed text not null,
  natural_key text not null,
  fields_sha256 bytea not null,
  fields jsonb not null,
  constraint source_record_pkey PRIMARY KEY (id),
  constraint source_record_dataset_subject_provider_feed_natural_key_fie_key UNIQUE (dataset, subject, provider, feed, natural_key, fields_sha256)
);
CREATE INDEX source_record_by_day ON source_record USING btree (dataset, provider, feed, COALESCE((fields ->> 'exDate'::text), (fields ->> 'date'::text))) WHERE (dataset = ANY (ARRAY['earnings'::text, 'dividends'::text]));
CREATE INDEX source_record_company_name ON source_record USING btree (lower((regexp_replace((fields ->> 'companyName'::text), '[^a-zA-Z0-9]+'::text, ''::text, 'g'::text) COLLATE "C"))) WHERE (dataset = 'profiles'::text);
CREATE INDEX source_record_filer ON source_record USING btree (((fields ->> 'cik'::text))) WHERE (dataset = 'securities'::text);
CREATE INDEX source_record_filing_day ON source_record USING btree (((fields ->> 'filingDate'::text))) WHERE ((dataset = 'earnings'::text) AND ((fields ->> 'kind'::text) = 'filing'::text));
CREATE INDEX source_record_financials ON source_record USING btree (subject, ((fields ->> 'periodEnd'::text))) WHERE ((dataset = 'earnings'::text) AND ((fields ->> 'kind'::text) = 'financials'::text));
CREATE INDEX source_record_former_name ON source_record USING gin (folded_former_names(fields)) WHERE ((dataset = 'profiles'::text) AND (jsonb_array_length((fields -> 'formerNames'::text)) > 0));
CREATE INDEX source_record_ipo_deal ON source_record USING btree (((fields ->> 'dealKey'::text))) WHERE (dataset = 'ipos'::text);
CREATE INDEX source_record_ipo_symbol ON source_record USING btree (((fields ->> 'symbol'::text))) WHERE (dataset = 'ipos'::text);
CREATE INDEX source_record_stated_figure ON source_record USING btree (subject, ((fields ->> 'periodEnd'::text))) WHERE ((dataset = 'earnings'::text) AND ((fields ->> 'kind'::text) = 'stated-figure'::text));

create table source_state (
  provider text not null,
  host text not null,
  state jsonb not null,
  constraint source_state_pkey PRIMARY KEY (provider, host)
);

create table store_epoch (
  first_change_id bigint not null,
  last_change_id bigint not null,
  started_at timestamp with time zone not null,
  reason text not null,
  constraint store_epoch_pkey PRIMARY KEY (first_change_id),
  constraint store_epoch_check CHECK ((last_change_id < first_change_id)),
  constraint store_epoch_reason_check CHECK ((reason = ANY (ARRAY['restore'::text, 'failover'::text, 'operator'::text])))
);

create table store_marker (
  name text not null,
  value text not null,
  constraint store_marker_pkey PRIMARY KEY (name)
);

create table usage_hour (
  customer_id text not null,
  hour timestamp with time zone not null,
  key_id text not null,
  endpoint text not null,
  status smallint not null,
  requests bigint not null,
  constraint usage_hour_pkey PRIMARY KEY (customer_id, hour, key_id, endpoint, status)
);
CREATE INDEX usage_hour_by_hour ON usage_hour USING btree (hour);

create table version_clock (
  only_row boolean default true not null,
  at timestamp with time zone not null,
  first_at timestamp with time zone,
  constraint version_clock_pkey PRIMARY KEY (only_row),
  constraint version_clock_only_row_check CHECK (only_row)
);

create table watchlist (
  id text not null,
  customer_id text not null,
  name text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint watchlist_pkey PRIMARY KEY (id),
  constraint watchlist_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint watchlist_customer_id_name_key UNIQUE (customer_id, name)
);

create table watchlist_member (
  watchlist_id text not null,
  security_id text not null,
  symbol text not null,
  added_at timestamp with time zone not null,
  constraint watchlist_member_pkey PRIMARY KEY (watchlist_id, security_id),
  constraint watchlist_member_watchlist_id_fkey FOREIGN KEY (watchlist_id) REFERENCES watchlist(id) ON DELETE CASCADE
);
CREATE INDEX watchlist_member_by_security ON watchlist_member USING btree (security_id);

create table webhook_alert (
  id bigint generated always as identity not null,
  endpoint_id text not null,
  customer_id text not null,
  kind text not null,
  at timestamp with time zone not null,
  failing_since timestamp with time zone,
  detail text not null,
  constraint webhook_alert_pkey PRIMARY KEY (id),
  constraint webhook_alert_kind_check CHECK ((kind = ANY (ARRAY['failing'::text, 'failing_24h'::text, 'failing_72h'::text, 'disabled'::text, 'recovered'::text])))
);
CREATE INDEX webhook_alert_by_customer ON webhook_alert USING btree (customer_id, id);

create table webhook_baseline (
  template_id text not null,
  symbol text not null,
  data text,
  is_stale boolean default false not null,
  constraint webhook_baseline_pkey PRIMARY KEY (template_id, symbol)
);
CREATE INDEX webhook_baseline_stale ON webhook_baseline USING btree (template_id) WHERE is_stale;

create table webhook_cursor (
  name text not null,
  position bigint not null,
  reached text default ''::text not null,
  constraint webhook_cursor_pkey PRIMARY KEY (name)
);

create table webhook_endpoint (
  id text not null,
  customer_id text not null,
  url text not null,
  description text default ''::text not null,
  is_dev boolean default false not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  disabled_reason text,
  deleted_at timestamp with time zone,
  is_slow boolean default true not null,
  last_success_at timestamp with time zone,
  last_failure_at timestamp with time zone,
  failure_count integer default 0 not null,
  failing_since timestamp with time zone,
  failing_delivery text,
  failing_several boolean default false not null,
  alerted text[] default '{}'::text[] not null,
  standard_webhooks boolean default false not null,
  payload_format text default 'json'::text not null,
  created_by jsonb,
  created_by_person text,
  constraint webhook_endpoint_pkey PRIMARY KEY (id),
  constraint webhook_endpoint_check CHECK (((disabled_at IS NULL) = (disabled_reason IS NULL))),
  constraint webhook_endpoint_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint webhook_endpoint_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['owner'::text, 'operator'::text, 'failing'::text, 'gone'::text]))),
  constraint webhook_endpoint_payload_format_check CHECK ((payload_format = ANY (ARRAY['json'::text, 'cloudevents'::text])))
);
CREATE INDEX webhook_endpoint_by_creator ON webhook_endpoint USING btree (created_by_person) WHERE (created_by_person IS NOT NULL);
CREATE INDEX webhook_endpoint_by_customer ON webhook_endpoint USING btree (customer_id, id);

create table webhook_fan_out (
  template_id text not null,
  symbol text not null,
  only_endpoint text default ''::text not null,
  changed_at timestamp with time zone not null,
  after_endpoint text default ''::text not null,
  constraint webhook_fan_out_pkey PRIMARY KEY (template_id, symbol, only_endpoint)
);
CREATE INDEX webhook_fan_out_by_age ON webhook_fan_out USING btree (changed_at);

create table webhook_secret (
  endpoint_id text not null,
  role text not null,
  sealed text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  constraint webhook_secret_pkey PRIMARY KEY (endpoint_id, role),
  constraint webhook_secret_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoint(id) ON DELETE CASCADE,
  constraint webhook_secret_role_check CHECK ((role = ANY (ARRAY['current'::text, 'next'::text, 'previous'::text])))
);

create table webhook_subscription (
  template_id text not null,
  symbol text not null,
  endpoint_id text not null,
  created_at timestamp with time zone not null,
  answered_data text,
  answered_at timestamp with time zone,
  named_fields text[] default '{}'::text[] not null,
  kind text default 'symbol'::text not null,
  constraint webhook_subscription_pkey PRIMARY KEY (template_id, symbol, endpoint_id),
  constraint webhook_subscription_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoint(id) ON DELETE CASCADE,
  constraint webhook_subscription_kind_check CHECK ((kind = ANY (ARRAY['symbol'::text, 'set'::text, 'member'::text])))
);
CREATE INDEX webhook_subscription_by_endpoint ON webhook_subscription USING btree (endpoint_id, template_id, symbol);
CREATE INDEX webhook_subscription_sets ON webhook_subscription USING btree (template_id) WHERE (kind = 'set'::text);
