import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Transaction } from '../../storage/db.ts';
import { sql, statement } from '../../storage/sql.ts';
import { storableText } from '../source-records/canonical-json.ts';

const compress = promisify(gzip);

/** A response to be archived. Its URL must not contain secrets. */
export interface ArchivedResponse {
  provider: string;
  feed: string;
  url: string;
  status: number;
  contentType: string;
  observedAt: Instant;
  text: string;
  outcome: 'ingested' | 'rejected';
  reason: string | null;
}

export interface CompressedBody {
  sha256: Uint8Array;
  gzip: Uint8Array;
  sizeBytes: number;
}

/** Hashes and compresses a body. Call this before the transaction starts. */
export async function compressBody(text: string): Promise<CompressedBody> {
  const bytes = Buffer.from(text, 'utf8');
  return {
    sha256: createHash('sha256').update(bytes).digest(),
    gzip: await compress(bytes, { level: 6 }),
    sizeBytes: bytes.length,
  };
}

/**
 * Archives a response, and its body unless it is already stored. Returns the id, which is always
 * the same for the same response.
 */
export async function archiveResponse(
  tx: Transaction,
  response: ArchivedResponse,
  { sha256, gzip: compressed, sizeBytes }: CompressedBody,
  receivedAt: Instant,
): Promise<number> {
  const { provider, feed, status, observedAt, outcome, reason } = response;
  const url = storableText(response.url);
  const contentType = storableText(response.contentType);
  // Inserts the body unless it is already stored.
  await tx.query(
    `insert into raw_body (sha256, gzip, size_bytes) values ($1, $2, $3) on conflict do nothing`,
    [sha256, compressed, sizeBytes],
  );
  // Inserts or finds the response by its unique key.
  const rows = await tx.query<{ id: number }>(
    ...statement(sql`
      insert into raw_answer (provider, feed, url, status, content_type, observed_at, received_at,
                              body_sha256, outcome, reason)
      values (${provider}, ${feed}, ${url}, ${status}, ${contentType},
              to_timestamp(${observedAt} / 1000.0), to_timestamp(${receivedAt} / 1000.0),
              ${sha256}, ${outcome}, ${reason})
      on conflict (provider, feed, url, observed_at, body_sha256)
        do update set outcome = excluded.outcome, reason = excluded.reason
      returning id`),
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('the response was not archived');
  tx.note?.([{ kind: 'response', id, provider, feed, url, observedAt }]);
  return id;
}

/** Loads the URLs, without secrets, of archived responses by id. */
export async function loadUrlsOfResponses(
  db: Queryable,
  ids: Iterable<number>,
): Promise<Map<number, string>> {
  const distinct = [...new Set(ids)];
  if (distinct.length === 0) return new Map();
  // Returns one row per response.
  const rows = await db.query<{ id: number; url: string }>(
    `select id, url from raw_answer where id = any($1::int8[])`,
    [distinct],
  );
  return new Map(rows.map(({ id, url }) => [id, url]));
}
