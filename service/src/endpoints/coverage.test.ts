import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parameterValues } from '../../test/support/parameter-values.ts';
import { eventOf, securityOf, storeRows } from '../../test/support/stored-earnings.ts';
import { memoryStore } from '../../test/support/stores.ts';
import { archiveResponse, compressBody } from '../datasets/responses/store.ts';
import { datasets } from '../datasets/registry.gen.ts';
import { type StoredSource, replaceSources } from '../datasets/sources/store.ts';
import type { Db } from '../storage/db.ts';
import { endpoint } from './coverage.ts';
import type { CoverageBody } from './rows/coverage-body.ts';

const check = Compile(endpoint.response);
const NOW = Date.parse('2026-11-20T15:00:00Z');
const RECEIVED = NOW - 90_000;
const OBSERVED = NOW - 100_000;

const source: StoredSource = {
  name: 'acme',
  title: 'Acme Data',
  homepage: 'https://example.com',
  redistribution: 'not-granted',
  terms: 'For your own use.',
  isAsked: true,
  feeds: [{ name: 'calendar', datasets: ['earnings'] }],
};
let db: Db;

beforeAll(async () => {
  db = await memoryStore();
  await storeRows(db, { securities: [securityOf('NRTH')], events: [eventOf('NRTH')] });
  await recordResponse('acme', OBSERVED, RECEIVED);
  await recordResponse('acme', OBSERVED - 900_000, RECEIVED - 800_000);
});

afterAll(() => db.close());

test('describes the contents and freshness of every data set', async () => {
  await replaceSources(db, [source]);
  const body = await coverage();
  expect(check.Check(body)).toBe(true);
  expect(body.datasets.map(({ dataset }) => dataset).toSorted()).toEqual(
    datasets.map(({ name }) => name).toSorted(),
  );
  expect(datasetIn(body, 'earnings')).toMatchObject({
    rows: 1,
    isEstimate: false,
    symbols: 1,
    firstDate: '2026-11-20',
    lastDate: '2026-11-20',
    newestObservationAt: '2026-11-20T14:58:20Z',
    lastSuccessAt: '2026-11-20T14:58:30Z',
    ageSeconds: 90,
    state: 'fresh',
    feeds: [{ source: 'acme', feed: 'calendar' }],
  });
  expect(body.statedFigures).toEqual(
    ['epsGaap', 'revenue'].map((figure) => ({
      figure,
      confirmed: 0,
      contradicted: 0,
      notFiled: 0,
      confirmedShare: null,
    })),
  );
  expect(datasetIn(body, 'dividends')).toMatchObject({ rows: 0, state: 'empty', feeds: [] });
});

test('returns the redistribution terms and data sets of each source', async () => {
  await replaceSources(db, [source]);
  expect((await coverage()).sources).toEqual([
    {
      name: 'acme',
      title: 'Acme Data',
      homepage: 'https://example.com',
      redistribution: 'not-granted',
      terms: 'For your own use.',
      isAsked: true,
      datasets: ['earnings'],
    },
  ]);
});

test('omits a source that is neither enabled nor has ever responded', async () => {
  const other = { ...source, name: 'other', homepage: '' };
  await replaceSources(db, [
    { ...source, isAsked: false },
    { ...other, isAsked: false },
  ]);
  expect((await coverage()).sources.map(({ name }) => name)).toEqual(['acme']);
  await replaceSources(db, [source, other]);
  expect((await coverage()).sources.map(({ name, homepage }) => [name, homepage])).toEqual([
    ['acme', 'https://example.com'],
    ['other', null],
  ]);
});

test('reports a data set as idle and never late if it has no enabled sources', async () => {
  await replaceSources(db, [{ ...source, isAsked: false }]);
  expect(datasetIn(await coverage(NOW + 30 * 86_400_000), 'earnings')).toMatchObject({
    state: 'idle',
    targetSeconds: null,
  });
});

test('reports a data set as replayed if its newest response came from a recording', async () => {
  await recordResponse('recorded', OBSERVED - 300 * 86_400_000, RECEIVED);
  await replaceSources(db, [
    source,
    {
      ...source,
      name: 'recorded',
      isAsked: false,
      feeds: [{ name: 'calendar', datasets: ['bars'] }],
    },
  ]);
  const body = await coverage(NOW + 30 * 86_400_000);
  expect(datasetIn(body, 'bars')).toMatchObject({ state: 'replayed', targetSeconds: null });
  expect(datasetIn(body, 'earnings').state).toBe('late');
});

test('marks a data set as late when its source stops responding', async () => {
  await replaceSources(db, [source]);
  expect(datasetIn(await coverage(NOW + 3 * 86_400_000), 'earnings').state).toBe('late');
});

test('reports splits to be as fresh as the prices from which they are inferred', async () => {
  const prices = { name: 'calendar', datasets: ['bars'] };
  await replaceSources(db, [{ ...source, feeds: [prices] }]);
  const body = await coverage();
  for (const name of ['bars', 'splits']) {
    expect(datasetIn(body, name)).toMatchObject({
      state: 'fresh',
      lastSuccessAt: '2026-11-20T14:58:30Z',
    });
  }
  expect(datasetIn(body, 'earnings').state).toBe('empty');
});

test('reports the rows of price lists that are not served under their own evening', async () => {
  // Stores two lists that show an earlier session.
  await db.query(
    `insert into price_night (provider, feed, list, date, content_date, held, served_date,
                              row_count, stale_count)
     values ('acme', 'prices', 'nyse', '2026-11-18', '2026-11-17', 'stale-night', '2026-11-17', 9, 1),
            ('acme', 'prices', 'nyse', '2026-11-19', '2026-11-17', 'stale-night', null, 9, 0)`,
  );
  const body = await coverage();
  expect(datasetIn(body, 'bars').withheld).toEqual([
    {
      source: 'acme',
      feed: 'prices',
      reason: 'stale-night',
      rows: 18,
      servedRows: 8,
      firstDate: '2026-11-18',
      lastDate: '2026-11-19',
    },
  ]);
  expect(datasetIn(body, 'earnings').withheld).toEqual([]);
});

test('counts the rows for the coverage report at most once a minute', () => {
  expect(endpoint.validUntil?.(parameterValues({}), NOW)).toBe(NOW + 60_000);
});

test('has a coverage example that matches the schema', () => {
  expect(check.Check(endpoint.example)).toBe(true);
});

async function coverage(now = NOW): Promise<CoverageBody> {
  const context = { db, now, historyFrom: null };
  const response = await endpoint.handle(parameterValues({}), context);
  if (response.kind !== 'body') throw new Error(`unexpected response: ${response.kind}`);
  return response.body as CoverageBody;
}

function datasetIn(body: CoverageBody, name: string): CoverageBody['datasets'][number] {
  const coverage = body.datasets.find(({ dataset }) => dataset === name);
  if (coverage === undefined) throw new Error(`${name} is missing`);
  return coverage;
}

async function recordResponse(
  provider: string,
  observedAt: number,
  receivedAt: number,
): Promise<void> {
  const body = await compressBody('{}');
  const response = {
    provider,
    feed: 'calendar',
    url: 'https://example.com/a',
    status: 200,
    reason: null,
    contentType: 'application/json',
    observedAt,
    text: '{}',
    outcome: 'ingested' as const,
  };
  await db.transaction((tx) => archiveResponse(tx, response, body, receivedAt));
}
