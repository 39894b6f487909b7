import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { type Sql, sql, statement } from '../../storage/sql.ts';

const decompress = promisify(gunzip);

/** An archived response in full. */
export interface FullResponse {
  url: string;
  status: number;
  contentType: string;
  observedAt: Instant;
  text: string;
}

/** Loads the newest response of a feed that was ingested; null if there is none. */
export function loadLatestResponse(
  db: Queryable,
  { provider, feed }: { provider: string; feed: string },
): Promise<FullResponse | null> {
  // Returns at most one row. Uses index raw_answer_observed and the primary key of raw_body.
  return loadOne(
    db,
    sql`where a.provider = ${provider} and a.feed = ${feed} and a.outcome = 'ingested'
        order by a.observed_at desc, a.id desc limit 1`,
  );
}

/** Loads the newest ingested response to a stored URL; null if there is none. */
export function loadResponseOfUrl(
  db: Queryable,
  { provider, feed, url }: Readonly<Record<'provider' | 'feed' | 'url', string>>,
): Promise<FullResponse | null> {
  // Returns at most one row. Uses the unique index on provider, feed, URL and time.
  return loadOne(
    db,
    sql`where a.provider = ${provider} and a.feed = ${feed} and a.url = ${url}
          and a.outcome = 'ingested' order by a.observed_at desc, a.id desc limit 1`,
  );
}

/** Loads an archived response; null if it does not exist. */
export function loadResponse(db: Queryable, id: number): Promise<FullResponse | null> {
  // Returns at most one row. Uses the primary keys of raw_answer and raw_body.
  return loadOne(db, sql`where a.id = ${id}`);
}

async function loadOne(db: Queryable, condition: Sql): Promise<FullResponse | null> {
  const [row] = await db.query<Omit<FullResponse, 'text'> & { gzip: Uint8Array }>(
    ...statement(sql`
      select a.url, a.status, a.content_type as "contentType", a.observed_at as "observedAt", b.gzip
        from raw_answer a join raw_body b on b.sha256 = a.body_sha256 ${condition}`),
  );
  if (row === undefined) return null;
  const { gzip, ...response } = row;
  return { ...response, text: (await decompress(gzip)).toString('utf8') };
}
