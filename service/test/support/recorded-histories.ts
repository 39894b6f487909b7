import type { EarningsObservation } from '../../src/datasets/earnings/observation.ts';
import type {
  Observation,
  ObservationHistory,
} from '../../src/datasets/source-records/observation-history.ts';
import { canonicalJson } from '../../src/datasets/source-records/canonical-json.ts';
import { filerKey } from '../../src/datasets/source-records/entity-keys.ts';
import { findRecordings } from '../../src/ingest/replay/find-recordings.ts';
import { readBody } from '../../src/ingest/replay/read-recording.ts';
import { compareText } from '../../src/platform/compare.ts';
import {
  type Feed,
  type ParsedRow,
  type SourceResponse,
  SourceResponseError,
} from '../../src/providers/provider.ts';
import { providers } from '../../src/providers/registry.gen.ts';
import { createSourceResponse } from '../../src/providers/source-response.ts';

export type EarningsHistory = ObservationHistory<EarningsObservation>;

/** Recorded observations about a company, without a store. */
export interface RecordedCompany {
  symbol: string;
  /** `MM-DD`; null if no recording has it. */
  yearEnd: string | null;
  histories: EarningsHistory[];
}

interface RecordedRow {
  provider: string;
  feed: string;
  at: number;
  row: ParsedRow;
}

/**
 * Reads the matching recordings in a folder and returns the observations about the companies. The
 * recordings must include a list of tickers, which joins filers to their symbols.
 */
export async function loadRecordedCompanies(
  folder: string,
  path: RegExp,
  symbols: readonly string[],
): Promise<RecordedCompany[]> {
  const rows: RecordedRow[] = [];
  const recordings = await findRecordings(folder);
  for (const recording of recordings.filter((each) => path.test(each.path))) {
    if ('error' in recording) throw recording.error;
    const { url, status, contentType, recordedAt } = recording.meta;
    const text = await readBody(recording.meta);
    const observedAt = recordedAt ?? 0;
    rows.push(...parseRows(createSourceResponse({ url, status, contentType, observedAt, text })));
  }
  const histories = Map.groupBy(toHistories(rows), ({ entityKey }) => entityKey);
  return symbols.map((symbol) => {
    const filer = filerOf(symbol, rows);
    return {
      symbol,
      yearEnd: filer === null ? null : yearEndOf(filer, rows),
      histories: [symbol, ...(filer === null ? [] : [filer])].flatMap(
        (entityKey) => histories.get(entityKey) ?? [],
      ),
    };
  });
}

function parseRows(response: SourceResponse): RecordedRow[] {
  for (const provider of providers) {
    const feed = provider.feeds.find(({ claims }) => claims(response));
    if (feed === undefined) continue;
    const byKey = Map.groupBy(rowsOf(feed, response), (row) =>
      [row.dataset, row.entityKey, row.naturalKey].join('\n'),
    );
    return [...byKey.values()].flatMap(([row]) =>
      row === undefined
        ? []
        : [{ provider: provider.name, feed: feed.name, at: response.observedAt, row }],
    );
  }
  return [];
}

/** Returns no rows for an error of the source, which a service would also keep out. */
function rowsOf(feed: Feed, response: SourceResponse): ParsedRow[] {
  try {
    return feed.parse(response).rows;
  } catch (error) {
    if (error instanceof SourceResponseError) return [];
    throw error;
  }
}

function toHistories(rows: readonly RecordedRow[]): EarningsHistory[] {
  const earnings = rows.filter(({ row }) => row.dataset === 'earnings');
  const groups = Map.groupBy(earnings, ({ provider, feed, row }) =>
    [provider, feed, row.entityKey, row.naturalKey].join('\n'),
  );
  let lastRecordId = 0;
  return [...groups]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([, group]): EarningsHistory[] => {
      const [first] = group;
      if (first === undefined) return [];
      const { provider, feed, row } = first;
      const observations = group
        .map(({ at, row: { fields } }): Observation<EarningsObservation> => {
          return { at, recordId: ++lastRecordId, fields: fields as EarningsObservation };
        })
        .toSorted(
          (a, b) => a.at - b.at || compareText(canonicalJson(a.fields), canonicalJson(b.fields)),
        );
      const { entityKey, naturalKey } = row;
      return [{ provider, feed, entityKey, naturalKey, observations }];
    });
}

function filerOf(symbol: string, rows: readonly RecordedRow[]): string | null {
  const listed = rows.find(
    ({ row }) => row.dataset === 'securities' && row.entityKey === symbol && row.fields.cik != null,
  );
  return listed?.row.dataset === 'securities' && listed.row.fields.cik != null
    ? filerKey(listed.row.fields.cik)
    : null;
}

function yearEndOf(filer: string, rows: readonly RecordedRow[]): string | null {
  for (const { row } of rows) {
    if (row.dataset !== 'profiles' || row.entityKey !== filer) continue;
    if (row.fields.fiscalYearEnd != null) return row.fields.fiscalYearEnd;
  }
  return null;
}
