import { loadInSlices } from '../../platform/slices.ts';
import type { Queryable, Row } from '../../storage/db.ts';
import { Recordset, sql, statement } from '../../storage/sql.ts';
import type { FieldSource } from './versioned-table.ts';

/**
 * Returns the URL, without secrets, of the archived response from which a field was read; null if
 * unknown.
 */
export type ResponseUrlOf = (source: FieldSource, row: number) => string | null;

export interface SourcedRow {
  provenance: Readonly<Record<string, FieldSource>>;
}

/**
 * Finds the archived responses from which the fields of rows were read. Most feeds have one
 * response per instant. If there are several, the one with an observation for the row's entity keys
 * is used; if several have one, the first archived. The result for a field never changes, no matter
 * what is archived later.
 */
export async function loadResponseUrls(
  db: Queryable,
  dataset: string,
  rows: readonly SourcedRow[],
  entityKeysOf: (rows: readonly number[]) => Promise<readonly (readonly string[])[]>,
): Promise<ResponseUrlOf> {
  const sources = new Map<string, FieldSource>();
  for (const { provenance } of rows) {
    for (const source of Object.values(provenance)) sources.set(keyOf(source), source);
  }
  const first = await loadFirstUrls(db, [...sources.values()]);
  const shared = rows.flatMap(({ provenance }, row) => {
    const keys = Object.values(provenance)
      .map(keyOf)
      .filter((key) => first.get(key)?.isShared);
    return keys.length === 0 ? [] : [{ row, keys: new Set(keys) }];
  });
  if (shared.length === 0) return (source) => first.get(keyOf(source))?.url ?? null;
  const entityKeys = await entityKeysOf(shared.map(({ row }) => row));
  // Many fields and rows share a source, and each pair of a source and an entity is looked up once.
  const requested = new Map<string, RequestedUrl>();
  for (const [i, { keys }] of shared.entries()) {
    for (const entityKey of entityKeys[i] ?? []) {
      for (const key of keys) {
        const source = sources.get(key);
        if (source !== undefined) requested.set(`${key} ${entityKey}`, { ...source, entityKey });
      }
    }
  }
  const byEntity = await loadByEntityKey(db, dataset, [...requested.values()]);
  const entityKeysOfRow = new Map(shared.map(({ row }, i) => [row, entityKeys[i] ?? []]));
  return (source, row) => {
    const key = keyOf(source);
    const found = (entityKeysOfRow.get(row) ?? [])
      .map((entityKey) => byEntity.get(`${key} ${entityKey}`))
      .filter((response) => response !== undefined)
      .toSorted((a, b) => a.id - b.id);
    return found[0]?.url ?? first.get(key)?.url ?? null;
  };
}

async function loadFirstUrls(
  db: Queryable,
  sources: readonly FieldSource[],
): Promise<Map<string, { url: string; isShared: boolean }>> {
  const rows = await loadInSlices(sources, SOURCES_PER_QUERY, (slice) => loadUrls(db, slice));
  return new Map(rows.map((row) => [keyOf(row), { url: row.url, isShared: row.isShared }]));
}

/** Sources and entities that one query looks up, so that it does not keep the store busy. */
const SOURCES_PER_QUERY = 20;
const ENTITIES_PER_QUERY = 100;

function loadUrls(
  db: Queryable,
  sources: readonly FieldSource[],
): Promise<(FieldSource & { url: string; isShared: boolean })[]> {
  // Returns one row per source with the URL of its first response, and whether there are other
  // responses. Uses index raw_answer_observed.
  return db.query<FieldSource & { url: string; isShared: boolean } & Row>(
    `select provider, feed, extract(epoch from observed_at)::float8 * 1000 as "seenAt",
            (array_agg(url order by id))[1] as url, min(url) <> max(url) as "isShared"
       from raw_answer
      where outcome = 'ingested' and (provider, feed, observed_at) in (
        select provider, feed, to_timestamp("seenAt" / 1000.0)
          from jsonb_to_recordset($1::jsonb) as x(provider text, feed text, "seenAt" float8))
      group by provider, feed, observed_at`,
    [JSON.stringify(sources)],
  );
}

interface RequestedUrl extends FieldSource {
  entityKey: string;
}

/** Returns the first response of each source about each entity key. */
async function loadByEntityKey(
  db: Queryable,
  dataset: string,
  requested: readonly RequestedUrl[],
): Promise<Map<string, { id: number; url: string }>> {
  const rows = await loadInSlices(requested, ENTITIES_PER_QUERY, (slice) =>
    loadFirstOf(db, dataset, slice),
  );
  return new Map(rows.map((row) => [`${keyOf(row)} ${row.entityKey}`, row]));
}

function loadFirstOf(
  db: Queryable,
  dataset: string,
  requested: readonly RequestedUrl[],
): Promise<(RequestedUrl & { id: number; url: string })[]> {
  const requests = new Recordset(
    { dataset: 'text', provider: 'text', feed: 'text', seenAt: 'float8', entityKey: 'text' },
    requested.map(({ provider, feed, seenAt, entityKey }) => {
      return { dataset, provider, feed, seenAt, entityKey };
    }),
  );
  // Returns one row per request with the first response. Uses the unique key of source_record, then
  // the primary keys of sighting and raw_answer. The data set is a column of the requests: a constant
  // would make the planner choose a partial index that reads all records of the feed.
  return db.query<RequestedUrl & { id: number; url: string } & Row>(
    ...statement(sql`
      select x.provider, x.feed, x."seenAt", x."entityKey", first.id, first.url
        from ${requests.as('x')}
        cross join lateral (
          select a.id, a.url
            from source_record r
            join sighting s on s.record_id = r.id
             and s.observed_at = to_timestamp(x."seenAt" / 1000.0)
            join raw_answer a on a.id = s.answer_id
           where r.dataset = x.dataset and r.subject = x."entityKey"
             and r.provider = x.provider and r.feed = x.feed
           order by a.id limit 1) first`),
  );
}

function keyOf({ provider, feed, seenAt }: FieldSource): string {
  return `${provider} ${feed} ${Math.round(seenAt)}`;
}
