import type { Queryable, Row } from '../../storage/db.ts';
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
  const sources = new Map(
    rows.flatMap(({ provenance }) =>
      Object.values(provenance).map((source) => [keyOf(source), source] as const),
    ),
  );
  const first = await loadFirstUrls(db, [...sources.values()]);
  const shared = rows.flatMap(({ provenance }, row) => {
    const ambiguous = Object.values(provenance).filter(
      (source) => first.get(keyOf(source))?.isShared,
    );
    return ambiguous.length === 0 ? [] : [{ row, sources: ambiguous }];
  });
  const entityKeys = shared.length === 0 ? [] : await entityKeysOf(shared.map(({ row }) => row));
  const requested = shared.flatMap((request, i) =>
    request.sources.flatMap((source) =>
      (entityKeys[i] ?? []).map((entityKey) => ({ ...source, entityKey, row: request.row })),
    ),
  );
  const byEntityKey = await loadByEntityKey(db, dataset, requested);
  return (source, row) =>
    byEntityKey.get(`${keyOf(source)} ${row}`) ?? first.get(keyOf(source))?.url ?? null;
}

async function loadFirstUrls(
  db: Queryable,
  sources: readonly FieldSource[],
): Promise<Map<string, { url: string; isShared: boolean }>> {
  if (sources.length === 0) return new Map();
  // Returns one row per source with the URL of its first response, and whether there are other
  // responses. Uses index raw_answer_observed.
  const rows = await db.query<FieldSource & { url: string; isShared: boolean } & Row>(
    `select provider, feed, extract(epoch from observed_at)::float8 * 1000 as "seenAt",
            (array_agg(url order by id))[1] as url, min(url) <> max(url) as "isShared"
       from raw_answer
      where outcome = 'ingested' and (provider, feed, observed_at) in (
        select provider, feed, to_timestamp("seenAt" / 1000.0)
          from jsonb_to_recordset($1::jsonb) as x(provider text, feed text, "seenAt" float8))
      group by provider, feed, observed_at`,
    [JSON.stringify(sources)],
  );
  return new Map(rows.map((row) => [keyOf(row), { url: row.url, isShared: row.isShared }]));
}

interface RequestedUrl extends FieldSource {
  entityKey: string;
  row: number;
}

async function loadByEntityKey(
  db: Queryable,
  dataset: string,
  requested: readonly RequestedUrl[],
): Promise<Map<string, string>> {
  if (requested.length === 0) return new Map();
  // Returns one row per source and row with the first response about its entity keys. Uses the
  // unique key of source_record, then the primary keys of sighting and raw_answer.
  const rows = await db.query<FieldSource & UrlRow & Row>(
    `select provider, feed, "seenAt", "row", url from (
       select x.provider, x.feed, x."seenAt", x."row", a.url,
              row_number() over (partition by x.provider, x.feed, x."seenAt", x."row"
                                 order by a.id) as rank
         from jsonb_to_recordset($2::jsonb)
           as x(provider text, feed text, "seenAt" float8, "entityKey" text, "row" int4)
         join source_record r on r.dataset = $1 and r.subject = x."entityKey"
          and r.provider = x.provider and r.feed = x.feed
         join sighting s on s.record_id = r.id
          and s.observed_at = to_timestamp(x."seenAt" / 1000.0)
         join raw_answer a on a.id = s.answer_id) u
      where rank = 1`,
    [dataset, JSON.stringify(requested)],
  );
  return new Map(rows.map((urlRow) => [`${keyOf(urlRow)} ${urlRow.row}`, urlRow.url]));
}

interface UrlRow {
  row: number;
  url: string;
}

function keyOf({ provider, feed, seenAt }: FieldSource): string {
  return `${provider} ${feed} ${Math.round(seenAt)}`;
}
