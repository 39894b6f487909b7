import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type {
  EarningsObservation,
  FinancialsObservation,
} from '../../datasets/earnings/observation.ts';
import { formatNewYork } from '../../domain/new-york.ts';
import { settleFilings } from '../../domain/settle-filings.ts';
import { isJsonObject } from '../kit/json.ts';
import { createSourceResponse } from '../source-response.ts';
import type { SourceResponse } from '../provider.ts';
import { provider } from './index.ts';

/** Folder with recorded responses. The tests are skipped if the variable is not set. */
const root = process.env['AFTERBELL_RECORDINGS'];

describe.skipIf(root === undefined)('recorded EDGAR responses', () => {
  it.each([
    ['submissions-aapl', 'submissions-aapl-merged', 45],
    ['submissions-msft', 'submissions-msft-merged', 25],
  ])('for %s and %s, derives the same acceptance times for %i filings', (first, second, count) => {
    const [firstInstants, secondInstants] = [
      acceptanceInstantsOf(first),
      acceptanceInstantsOf(second),
    ];
    const shared = [...firstInstants.keys()].filter((accession) => secondInstants.has(accession));
    expect(shared).toHaveLength(count);
    for (const accession of shared)
      expect(secondInstants.get(accession)).toBe(firstInstants.get(accession));
  });

  it.each([
    ['submissions-aapl', '0000320193-26-000005', '2026-01-29T16:30:33-05:00'],
    ['submissions-nvda', '0001045810-26-000019', '2026-02-25T16:31:25-05:00'],
    ['submissions-wmt-merged', '0000104169-26-000095', '2026-05-21T06:59:53-04:00'],
    ['submissions-ko-merged', '0001628280-26-027723', '2026-04-28T07:00:30-04:00'],
    ['submissions-cost-merged', '0000909832-26-000046', '2026-05-28T16:17:32-04:00'],
  ])(
    'for %s, determines that the filing %s was accepted at %s',
    (recording, accession, expected) => {
      expect(acceptanceInstantsOf(recording).get(accession)).toBe(expected);
    },
  );

  it.each([
    ['companyfacts-aapl-2026-06', '2025-06-28', '94036000000', '1.57'],
    ['companyfacts-aapl-2026-06', '2025-09-27', '102466000000', null],
    ['companyfacts-nvda-2026-07', '2026-04-26', '81615000000', '2.39'],
    ['companyfacts-wmt-2026-06', '2026-04-30', '177751000000', '0.67'],
    ['companyfacts-cost-2026-06', '2025-08-31', '86156000000', null],
    ['companyfacts-cost-2026-06', '2026-05-10', '70527000000', '4.93'],
    ['companyfacts-goog-2026-07', '2024-12-31', '96469000000', null],
  ])(
    'for %s and the quarter ending %s, derives revenue of %s and earnings of %s per share',
    (recording, end, ...expected) => {
      const quarters = rowsOf<FinancialsObservation>(recording);
      const quarter = quarters.find(({ periodEnd }) => periodEnd === end);
      expect([quarter?.revenue?.first, quarter?.epsDiluted?.first ?? null]).toEqual(expected);
    },
  );
});

function acceptanceInstantsOf(recording: string): ReadonlyMap<string, string | null> {
  const filings = rowsOf<EarningsObservation>(recording).flatMap((fields) => {
    if (fields.kind !== 'filing') return [];
    const { accession, filingDate, acceptance } = fields;
    return [{ accession, filingDate, readings: [acceptance] }];
  });
  const resolved = settleFilings(filings);
  return new Map(
    [...resolved].map(([key, instant]) => [key, instant && formatNewYork(instant.at)]),
  );
}

function rowsOf<T>(recording: string): T[] {
  const response = load(recording);
  const feed = provider.feeds.find((first) => first.claims(response));
  const { rows, bad } = feed?.parse(response) ?? { rows: [], bad: [] };
  expect(bad).toEqual([]);
  return rows.filter((row) => row.dataset === 'earnings').map((row) => row.fields as T);
}

function load(recording: string): SourceResponse {
  const folder = path.join(root ?? '', 'sec', recording);
  const meta: unknown = JSON.parse(readFileSync(path.join(folder, 'meta.json'), 'utf8'));
  if (!isJsonObject(meta)) throw new Error(`${recording} has no description`);
  const body = readFileSync(path.join(folder, String(meta['body_file'])));
  const isPacked = meta['body_stored_encoding'] === 'gzip';
  return createSourceResponse({
    url: String(meta['url']),
    status: Number(meta['status']),
    contentType: String(meta['content_type']),
    observedAt: 0,
    text: (isPacked ? gunzipSync(body) : body).toString('utf8'),
  });
}
