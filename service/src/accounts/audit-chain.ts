import { createHash } from 'node:crypto';
import { formatInstant, type Instant } from '../platform/instant.ts';
import type { Queryable, Row } from '../storage/db.ts';

/**
 * Every audit event has the hash of the event before it of the same customer, or of the service. The
 * database computes it when the transaction commits, in migration 0064.
 */
export interface AuditChainReport {
  events: number;
  chains: number;
  /** Null if the chain is unbroken. */
  broken: { eventId: number; customerId: string | null; reason: string } | null;
}

const PAGE_ROWS = 1_000;

/**
 * Checks the chain of every customer and of the service, up to the first broken event. `sinceId`
 * limits the check to newer events.
 */
export async function verifyAuditChains(
  db: Queryable,
  { sinceId = 0 }: { sinceId?: number } = {},
): Promise<AuditChainReport> {
  const report: AuditChainReport = { events: 0, chains: 0, broken: null };
  const unchained = await findUnchained(db);
  if (unchained !== null) return { ...report, broken: { ...unchained, reason: 'has no hash' } };
  const purgedBefore = await loadPurgedBefore(db);
  let last: ChainRow | null = null;
  for (;;) {
    const rows: ChainRow[] = await loadPage(db, last, sinceId);
    for (const row of rows) {
      const previous: ChainRow | null = last !== null && last.chain === row.chain ? last : null;
      const isPartial = previous === null && sinceId > 0;
      const reason = isPartial ? hashProblem(row) : problemOf(row, previous, purgedBefore);
      if (reason !== null) {
        const customerId = row.chain === '' ? null : row.chain;
        return { ...report, broken: { eventId: row.id, customerId, reason } };
      }
      report.events += 1;
      if (previous === null) report.chains += 1;
      last = row;
    }
    if (rows.length < PAGE_ROWS) return report;
  }
}

function problemOf(row: ChainRow, previous: ChainRow | null, purgedBefore: Instant): string | null {
  if (previous === null) {
    // A purge keeps the newest of the events that it may delete.
    const isStart = row.chainNo === 1 ? row.previousHash === '' : row.at < purgedBefore;
    return isStart ? hashProblem(row) : 'follows an event that is missing';
  }
  if (row.chainNo !== previous.chainNo + 1) return 'follows an event that is missing';
  if (row.previousHash !== previous.hash) return 'does not have the hash of the event before it';
  return hashProblem(row);
}

function hashProblem({ previousHash, message, hash, at }: ChainRow): string | null {
  const expected = createHash('sha256').update(previousHash, 'hex').update(message).digest('hex');
  return hash === expected ? null : `was changed; its time is ${formatInstant(at)}`;
}

interface ChainRow extends Row {
  id: number;
  at: Instant;
  /** ID of the customer; empty for events of the service. */
  chain: string;
  chainNo: number;
  previousHash: string;
  hash: string;
  message: string;
}

function loadPage(db: Queryable, last: ChainRow | null, sinceId: number): Promise<ChainRow[]> {
  // Returns one page in the order of the index on the chain. A few newer events are found by the
  // primary key instead.
  const newer = 'with audit_event as materialized (select * from audit_event where id > $1)';
  return db.query<ChainRow>(
    `${sinceId > 0 ? newer : ''}
     select id, at, coalesce(customer_id, '') as chain, chain_no as "chainNo",
            encode(previous_hash, 'hex') as "previousHash", encode(hash, 'hex') as hash,
            json_build_array(chain_no, id, (extract(epoch from at) * 1000000)::int8, actor_kind,
              actor_id, actor_label, address, act, customer_id, subject, details::text)::text
              as message
       from audit_event
      where id > $1 and (coalesce(customer_id, ''), chain_no) > ($2, $3::int8)
      order by coalesce(customer_id, ''), chain_no limit ${PAGE_ROWS}`,
    [sinceId, last?.chain ?? '', last?.chainNo ?? -1],
  );
}

/** Returns the time before which events were deleted; 0 if none were. */
async function loadPurgedBefore(db: Queryable): Promise<Instant> {
  // Returns one row. Reads the events of the service, newest first.
  const [row] = await db.query<{ before: string | null }>(
    `select details ->> 'before' as before from audit_event
      where act = 'store.purge-audit' and customer_id is null order by id desc limit 1`,
  );
  return row?.before == null ? 0 : Date.parse(row.before);
}

/** Returns an event without a hash. Every event gets one when its transaction commits. */
async function findUnchained(
  db: Queryable,
): Promise<{ eventId: number; customerId: string | null } | null> {
  // Returns at most one row, by index `audit_event_unchained`, which is empty.
  const [row] = await db.query<{ eventId: number; customerId: string | null }>(
    `select id as "eventId", customer_id as "customerId" from audit_event
      where chain_no is null or previous_hash is null or hash is null order by id limit 1`,
  );
  return row ?? null;
}
