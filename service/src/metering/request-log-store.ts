import type { Instant } from '../platform/instant.ts';
import type { Queryable, Row } from '../storage/db.ts';
import { sql, statement } from '../storage/sql.ts';

export interface LoggedRequest {
  at: Instant;
  customerId: string;
  keyId: string;
  method: string;
  /** Path and query string, without the key. */
  path: string;
  status: number;
  durationMs: number;
  requestId: string;
}

/** Adds requests in order, except those from deleted customers. */
export async function addRequests(
  db: Queryable,
  requests: readonly LoggedRequest[],
): Promise<void> {
  const rows = requests.map(({ at, ...fields }, index) => ({
    ...fields,
    index,
    at: new Date(at).toISOString(),
  }));
  await db.query(
    `insert into request_log
       (at, customer_id, key_id, method, path, status, duration_ms, request_id)
     select at, "customerId", "keyId", method, path, status, "durationMs", "requestId"
     from jsonb_to_recordset($1::jsonb) as new (
       index int4, at timestamptz, "customerId" text, "keyId" text, method text, path text,
       status int2, "durationMs" float8, "requestId" text)
     where not exists (select 1 from customer where customer.id = new."customerId" and deleted_at is not null)
     order by index`,
    [JSON.stringify(rows)],
  );
}

/** Deletes requests before an instant, and all but the latest `keepRows` requests. */
export async function pruneRequests(
  db: Queryable,
  limits: { before: Instant; keepRows: number },
): Promise<void> {
  // Uses the index on time.
  const byTime = 'delete from request_log where at < to_timestamp($1 / 1000.0)';
  await db.query(byTime, [limits.before]);
  // Uses the primary key.
  const byCount =
    'delete from request_log where id <= (select max(id) from request_log) - $1::int8';
  await db.query(byCount, [limits.keepRows]);
}

export interface RequestQuery {
  /** Null for all customers. */
  customerId: string | null;
  keyId?: string | undefined;
  /** Lowest and highest status, both inclusive. */
  statusMin?: number | undefined;
  statusMax?: number | undefined;
  /** Prefix of the path and query string. */
  pathStart?: string | undefined;
  requestId?: string | undefined;
  from?: Instant | undefined;
  /** End of the time range, exclusive. */
  to?: Instant | undefined;
  /** The `next` of the previous page, to continue after that page. */
  before?: number | undefined;
  /** Rows per page, 1 to 1,000. */
  limit: number;
}

export interface RequestPage {
  /** The requests, newest first. `position` is unique and never changes. */
  requests: (LoggedRequest & { position: number })[];
  /** Cursor for the next page, or null on the last page. */
  next: number | null;
}

export async function loadRequests(db: Queryable, query: RequestQuery): Promise<RequestPage> {
  const limit = Math.min(Math.max(1, query.limit), 1_000);
  const { customerId, before = null, keyId = null, statusMin = null, statusMax = null } = query;
  const { pathStart = null, requestId = null, from = null, to = null } = query;
  // Returns one page plus one row, read backwards from the index on customer and id, or from the
  // primary key for all customers.
  const rows = await db.query<LoggedRequest & { position: number } & Row>(
    ...statement(sql`
    select id as position, at, customer_id as "customerId", key_id as "keyId", method, path,
           status, duration_ms as "durationMs", request_id as "requestId"
      from request_log
     where (${customerId}::text is null or customer_id = ${customerId})
       and (${before}::int8 is null or id < ${before})
       and (${keyId}::text is null or key_id = ${keyId})
       and (${statusMin}::int4 is null or status >= ${statusMin}::int4)
       and (${statusMax}::int4 is null or status <= ${statusMax}::int4)
       and (${pathStart}::text is null or starts_with(path, ${pathStart}))
       and (${requestId}::text is null or request_id = ${requestId})
       and (${from}::float8 is null or at >= to_timestamp(${from} / 1000.0))
       and (${to}::float8 is null or at < to_timestamp(${to} / 1000.0))
     order by id desc limit ${limit + 1}`),
  );
  const requests = rows.slice(0, limit);
  return { requests, next: rows.length > limit ? (requests.at(-1)?.position ?? null) : null };
}
