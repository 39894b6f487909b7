import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, SqlValue } from '../../storage/db.ts';
import type { Decision, QuarantineId } from './decisions.ts';

/** Something in quarantine, and what was decided of it. */
export interface QuarantineItem {
  id: QuarantineId;
  dataset: string;
  provider: string;
  feed: string;
  /** Whom it is about; null where that cannot be read. */
  entityKey: string | null;
  reason: string;
  detail: string;
  /** A record: when it was seen last; a row: when it was put here. */
  at: Instant;
  /** Null while it is open. */
  decision: { decision: Decision; reason: string; at: Instant; by: string } | null;
}

export interface QuarantineQuery {
  state: 'open' | Decision;
  provider?: string | undefined;
  dataset?: string | undefined;
  reason?: string | undefined;
  /** The last one seen. */
  before?: QuarantineId | undefined;
  limit: number;
}

/**
 * A page of what is in quarantine. Open: records first, which an operator can let in, then bad rows,
 * each newest first. Decided: in the same order.
 */
export async function listQuarantine(
  db: Queryable,
  asked: QuarantineQuery,
): Promise<QuarantineItem[]> {
  const { before, limit } = asked;
  const items: QuarantineItem[] = [];
  if (before?.kind !== 'row') items.push(...(await listRecords(db, asked)));
  if (items.length >= limit) return items;
  const rest = { ...asked, limit: limit - items.length };
  items.push(
    ...(await listRows(db, before?.kind === 'row' ? rest : { ...rest, before: undefined })),
  );
  return items;
}

/** One item in whatever state; null when there is none. */
export async function findQuarantined(
  db: Queryable,
  id: QuarantineId,
): Promise<QuarantineItem | null> {
  const sql = id.kind === 'record' ? RECORDS : ROWS;
  // At most one row, by the primary keys.
  const [found] = await db.query<ItemRow>(
    `select page.*, ${SEEN_AT[id.kind]} as at from (${sql} where number = $1) page`,
    [id.number],
  );
  return found === undefined ? null : toItem(id.kind, found);
}

function listRecords(db: Queryable, asked: QuarantineQuery): Promise<QuarantineItem[]> {
  // A page of rows by the primary key of held_record; what was decided by its unique index of records.
  return listOf(db, 'record', asked.state === 'open' ? HELD_RECORDS : DECIDED_RECORDS, asked);
}

function listRows(db: Queryable, asked: QuarantineQuery): Promise<QuarantineItem[]> {
  // A page of rows backwards by the primary key of quarantined_row, or by quarantined_row_by_reason;
  // what was decided by its unique index of contents, the rows by quarantined_row_by_content.
  return listOf(db, 'row', asked.state === 'open' ? ROWS : DECIDED_ROWS, asked);
}

async function listOf(
  db: Queryable,
  kind: QuarantineId['kind'],
  sql: string,
  asked: QuarantineQuery,
): Promise<QuarantineItem[]> {
  const params: SqlValue[] = [];
  const conditions: string[] = [];
  function add(column: string, relation: string, value: SqlValue | undefined): void {
    if (value === undefined) return;
    params.push(value);
    conditions.push(`${column} ${relation} ${place(params.length)}`);
  }
  if (asked.state === 'open') conditions.push('decision is null', '"isHeld"');
  else add('decision', '=', asked.state);
  add('provider', '=', asked.provider);
  add('dataset', '=', asked.dataset);
  add('reason', '=', asked.reason);
  add('number', '<', asked.before?.number);
  params.push(asked.limit);
  const rows = await db.query<ItemRow>(
    `select page.*, ${SEEN_AT[kind]} as at from (
       ${sql} where ${conditions.join(' and ')} order by number desc limit ${place(params.length)}
     ) page order by number desc`,
    params,
  );
  return rows.map((row) => toItem(kind, row));
}

function place(number: number): string {
  return `$${number}`;
}

/** Records that are held now, read backwards by the primary key of held_record. */
export const HELD_RECORDS = `select * from (
  select h.record_id as number, r.dataset, r.provider, r.feed, r.subject, h.reason, h.detail,
         true as "isHeld", q.decision, q.why, q.decided_at as "decidedAt",
         q.decided_by as "decidedBy"
    from (select distinct on (record_id) record_id, reason, detail from held_record
           order by record_id desc, owner desc) h
    join source_record r on r.id = h.record_id
    left join quarantine_decision q on q.record_id = h.record_id) record`;

/** Records of which something was decided, whether they are held still or not. */
const DECIDED_RECORDS = `select * from (
  select r.id as number, r.dataset, r.provider, r.feed, r.subject, q.reason, q.detail,
         q.decision, q.why, q.decided_at as "decidedAt", q.decided_by as "decidedBy"
    from quarantine_decision q join source_record r on r.id = q.record_id) record`;

/** Records that are held now, or of which something was decided. */
const RECORDS = `select * from (
  select r.id as number, r.dataset, r.provider, r.feed, r.subject,
         coalesce(h.reason, q.reason) as reason, coalesce(h.detail, q.detail) as detail,
         h.record_id is not null as "isHeld",
         q.decision, q.why, q.decided_at as "decidedAt", q.decided_by as "decidedBy"
    from (select record_id from held_record union select record_id from quarantine_decision
           where record_id is not null) i
    join source_record r on r.id = i.record_id
    left join (select distinct on (record_id) record_id, reason, detail from held_record
                order by record_id, owner desc) h on h.record_id = r.id
    left join quarantine_decision q on q.record_id = r.id) record`;

export const ROWS = `select * from (
  select q.id as number, q.dataset, a.provider, a.feed, q.subject, q.reason, q.detail,
         q.quarantined_at, true as "isHeld",
         d.decision, d.why, d.decided_at as "decidedAt", d.decided_by as "decidedBy"
    from quarantined_row q
    join raw_answer a on a.id = q.answer_id
    left join quarantine_decision d
      on d.provider = a.provider and d.feed = a.feed and d.dataset = q.dataset
     and d.row_sha256 = q.row_sha256) row`;

/** Rows with contents of which something was decided. */
const DECIDED_ROWS = `select * from (
  select q.id as number, q.dataset, a.provider, a.feed, q.subject, q.reason, q.detail,
         q.quarantined_at, d.decision, d.why, d.decided_at as "decidedAt",
         d.decided_by as "decidedBy"
    from quarantine_decision d
    join quarantined_row q on q.row_sha256 = d.row_sha256 and q.dataset = d.dataset
    join raw_answer a on a.id = q.answer_id and a.provider = d.provider and a.feed = d.feed) row`;

/** Looked up for the rows of a page alone. */
const SEEN_AT = {
  record: '(select max(s.observed_at) from sighting s where s.record_id = page.number)',
  row: 'page.quarantined_at',
} as const;

interface ItemRow extends Row {
  number: number;
  dataset: string;
  provider: string;
  feed: string;
  subject: string | null;
  reason: string;
  detail: string;
  at: Instant;
  decision: Decision | null;
  reason: string;
  decidedAt: Instant;
  decidedBy: string;
}

function toItem(kind: QuarantineId['kind'], row: ItemRow): QuarantineItem {
  const { number, dataset, provider, feed, subject, reason, detail, at } = row;
  const { decision, reason: why, decidedAt, decidedBy } = row;
  return {
    id: {
      kind,
      number,
    },
    dataset,
    provider,
    feed,
    entityKey: subject,
    reason,
    detail,
    at,
    decision:
      decision === null
        ? null
        : {
            decision,
            reason: why,
            at: decidedAt,
            by: decidedBy,
          },
  };
}
