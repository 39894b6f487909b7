import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';

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
export async function loadLatestResponse(
  db: Queryable,
  { provider, feed }: { provider: string; feed: string },
): Promise<FullResponse | null> {
  // Returns at most one row. Uses index raw_answer_observed and the primary key of raw_body.
  const [row] = await db.query<Omit<FullResponse, 'text'> & { gzip: Uint8Array }>(
    `select a.url, a.status, a.content_type as "contentType", a.observed_at as "observedAt", b.gzip
       from raw_answer a join raw_body b on b.sha256 = a.body_sha256
      where a.provider = $1 and a.feed = $2 and a.outcome = 'ingested'
      order by a.observed_at desc, a.id desc limit 1`,
    [provider, feed],
  );
  if (row === undefined) return null;
  const { gzip, ...response } = row;
  return { ...response, text: (await decompress(gzip)).toString('utf8') };
}
