import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';
import { type Sql, sql, statement } from '../../storage/sql.ts';
import type { Decision, QuarantineId } from './decisions.ts';

/** A quarantined row with its decision. */
export interface QuarantineItem {
  id: QuarantineId;
  dataset: string;
  provider: string;
  feed: string;
  /** Null if the row does not identify an entity. */
  entityKey: string | null;
  reason: string;
  detail: string;
  /** Time when a record was last seen, or when a row was quarantined. */
  at: Instant;
  /** Null while the row is open. */
  decision: { decision: Decision; reason: string; at: Instant; by: string } | null;
}

export interface QuarantineQuery {
  state: 'open' | Decision;
  provider?: string | undefined;
  dataset?: string | undefined;
  reason?: string | undefined;
  /** The last row on the previous page. */
  before?: QuarantineId | undefined;
  limit: number;
}

/**
 * Returns a page of the quarantine. Records are listed first, because operators can accept them,
 * followed by invalid rows. Both are ordered newest first.
 */
export async function listQuarantine(
  db: Queryable,
  query: QuarantineQuery,
): Promise<QuarantineItem[]> {
  const { before, limit, state } = query;
  const items: QuarantineItem[] = [];
  if (before?.kind !== 'row') {
    // Returns a page of rows. Uses the primary key of held_record; for decided ones the unique
    // index of quarantine_decision on the record.
    const source = state === 'open' ? QUARANTINED_RECORDS : DECIDED_RECORDS;
    items.push(...(await listItems(db, 'record', source, query)));
  }
  if (items.length >= limit) return items;
  const rest = { ...query, limit: limit - items.length };
  if (before?.kind === 'record') delete rest.before;
  // Returns a page of rows. Scans the primary key of quarantined_row backwards, or uses index
  // quarantined_row_by_reason; for decided ones the unique index of quarantine_decision on the
  // hash, then index quarantined_row_by_content.
  const source = state === 'open' ? QUARANTINED_ROWS : DECIDED_ROWS;
  return [...items, ...(await listItems(db, 'row', source, rest))];
}

/** Returns the quarantined row in any state; null if it does not exist. */
export async function findQuarantined(
  db: Queryable,
  id: QuarantineId,
): Promise<QuarantineItem | null> {
  const source = id.kind === 'record' ? RECORDS : QUARANTINED_ROWS;
  // Returns at most one row.
  const [row] = await db.query<ItemRow>(
    ...statement(sql`
      select page.*, ${SEEN_AT[id.kind]} as at
        from (${source} where number = ${id.number}) page`),
  );
  return row === undefined ? null : toItem(id.kind, row);
}

async function listItems(
  db: Queryable,
  kind: QuarantineId['kind'],
  source: Sql,
  { state, provider, dataset, reason, before, limit }: QuarantineQuery,
): Promise<QuarantineItem[]> {
  let where = state === 'open' ? sql`decision is null and "isHeld"` : sql`decision = ${state}`;
  if (provider !== undefined) where = sql`${where} and provider = ${provider}`;
  if (dataset !== undefined) where = sql`${where} and dataset = ${dataset}`;
  if (reason !== undefined) where = sql`${where} and reason = ${reason}`;
  if (before !== undefined) where = sql`${where} and number < ${before.number}`;
  const rows = await db.query<ItemRow>(
    ...statement(sql`
      select page.*, ${SEEN_AT[kind]} as at
        from (${source} where ${where} order by number desc limit ${limit}) page
       order by number desc`),
  );
  return rows.map((row) => toItem(kind, row));
}

/** The records in quarantine. Scans the primary key of held_record backwards. */
export const QUARANTINED_RECORDS = sql`select * from (
  select h.record_id as number, r.dataset, r.provider, r.feed, r.subject as "entityKey", h.reason,
         h.detail, true as "isHeld", q.decision, q.why, q.decided_at as "decidedAt",
         q.decided_by as "decidedBy"
    from (select distinct on (record_id) record_id, reason, detail from held_record
           order by record_id desc, owner desc) h
    join source_record r on r.id = h.record_id
    left join quarantine_decision q on q.record_id = h.record_id) record`;

/** The records with a decision, whether or not they are still in quarantine. */
const DECIDED_RECORDS = sql`select * from (
  select r.id as number, r.dataset, r.provider, r.feed, r.subject as "entityKey", q.reason, q.detail,
         q.decision, q.why, q.decided_at as "decidedAt", q.decided_by as "decidedBy"
    from quarantine_decision q join source_record r on r.id = q.record_id) record`;

/** The records that are in quarantine or have a decision. */
const RECORDS = sql`select * from (
  select r.id as number, r.dataset, r.provider, r.feed, r.subject as "entityKey",
         coalesce(h.reason, q.reason) as reason, coalesce(h.detail, q.detail) as detail,
         h.record_id is not null as "isHeld",
         q.decision, q.why, q.decided_at as "decidedAt", q.decided_by as "decidedBy"
    from (select record_id from held_record union select record_id from quarantine_decision
           where record_id is not null) i
    join source_record r on r.id = i.record_id
    left join (select distinct on (record_id) record_id, reason, detail from held_record
                order by record_id, owner desc) h on h.record_id = r.id
    left join quarantine_decision q on q.record_id = r.id) record`;

export const QUARANTINED_ROWS = sql`select * from (
  select q.id as number, q.dataset, a.provider, a.feed, q.subject as "entityKey", q.reason, q.detail,
         q.quarantined_at, true as "isHeld",
         d.decision, d.why, d.decided_at as "decidedAt", d.decided_by as "decidedBy"
    from quarantined_row q
    join raw_answer a on a.id = q.answer_id
    left join quarantine_decision d
      on d.provider = a.provider and d.feed = a.feed and d.dataset = q.dataset
     and d.row_sha256 = q.row_sha256) row`;

/** The invalid rows whose content has a decision. */
const DECIDED_ROWS = sql`select * from (
  select q.id as number, q.dataset, a.provider, a.feed, q.subject as "entityKey", q.reason, q.detail,
         q.quarantined_at, d.decision, d.why, d.decided_at as "decidedAt",
         d.decided_by as "decidedBy"
    from quarantine_decision d
    join quarantined_row q on q.row_sha256 = d.row_sha256 and q.dataset = d.dataset
    join raw_answer a on a.id = q.answer_id and a.provider = d.provider and a.feed = d.feed) row`;

/** Time when a record was last seen, or when a row was quarantined. Evaluated only for the rows on a page. */
const SEEN_AT = {
  record: sql`(select max(s.observed_at) from sighting s where s.record_id = page.number)`,
  row: sql`page.quarantined_at`,
} as const;

interface ItemRow extends Row {
  number: number;
  dataset: string;
  provider: string;
  feed: string;
  entityKey: string | null;
  reason: string;
  detail: string;
  at: Instant;
  decision: Decision | null;
  why: string;
  decidedAt: Instant;
  decidedBy: string;
}

function toItem(kind: QuarantineId['kind'], row: ItemRow): QuarantineItem {
  const { number, dataset, provider, feed, entityKey, reason, detail, at, decision } = row;
  return {
    id: { kind, number },
    dataset,
    provider,
    feed,
    entityKey,
    reason,
    detail,
    at,
    decision:
      decision === null
        ? null
        : { decision, reason: row.why, at: row.decidedAt, by: row.decidedBy },
  };
}
