/**
 * The kind of a table decides where its rows are with several cells:
 *
 * - `fact`: market data and its sources. The gathering store writes them; cells receive them.
 * - `customer`: belongs to one customer and moves with it from cell to cell.
 * - `local`: state of one store, such as leases, cursors, plans and reports of processes.
 */
export type TableKind = 'fact' | 'customer' | 'local';

/** The kind of every table. A test fails for a table without one. */
export const TABLE_KINDS: Readonly<Record<string, TableKind>> = {
  change_record: 'fact',
  commit_log: 'fact',
  dividend: 'fact',
  earnings_event: 'fact',
  economic_event: 'fact',
  filed_split: 'fact',
  filing: 'fact',
  gathering_beat: 'fact',
  held_record: 'fact',
  ingest_run: 'fact',
  ipo: 'fact',
  listed_day: 'fact',
  market_override: 'fact',
  price_bar: 'fact',
  price_night: 'fact',
  profile: 'fact',
  quarantine_decision: 'fact',
  quarantined_row: 'fact',
  quote: 'fact',
  raw_answer: 'fact',
  security: 'fact',
  security_symbol: 'fact',
  security_version: 'fact',
  share_split: 'fact',
  sighting: 'fact',
  source: 'fact',
  source_record: 'fact',
  store_epoch: 'fact',
  version_clock: 'fact',

  api_key: 'customer',
  api_key_use: 'customer',
  attempt_hour: 'customer',
  audit_event: 'customer',
  customer: 'customer',
  delivery: 'customer',
  delivery_attempt: 'customer',
  idempotent_call: 'customer',
  known_address: 'customer',
  membership: 'customer',
  one_time_link: 'customer',
  person: 'customer',
  quota_block: 'customer',
  quota_minute: 'customer',
  quota_use: 'customer',
  recovery_code: 'customer',
  request_log: 'customer',
  session: 'customer',
  usage_hour: 'customer',
  watchlist: 'customer',
  watchlist_member: 'customer',
  webhook_alert: 'customer',
  webhook_endpoint: 'customer',
  webhook_secret: 'customer',
  webhook_subscription: 'customer',

  attempt_hours_kept: 'local',
  cell_gap: 'local',
  // A customer moves once no delivery of it is in flight.
  delivery_claim: 'local',
  failover_report: 'local',
  ingest_batch: 'local',
  ingest_lease: 'local',
  ingest_request: 'local',
  job_progress: 'local',
  key_ring_version: 'local',
  plan: 'local',
  process_loop: 'local',
  quota_commit: 'local',
  // The archive of responses is by far the largest table, and only ingestion reads it.
  raw_body: 'local',
  replica_beat: 'local',
  schema_migration: 'local',
  sign_in_allowance: 'local',
  source_state: 'local',
  store_marker: 'local',
  webhook_baseline: 'local',
  webhook_cursor: 'local',
  webhook_fan_out: 'local',
};

/** Columns of facts that each store writes for itself, so they are not replicated. */
export const LOCAL_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  filing: ['posted_at'],
};

export const FACT_TABLES: readonly string[] = Object.keys(TABLE_KINDS).filter(
  (table) => TABLE_KINDS[table] === 'fact',
);
