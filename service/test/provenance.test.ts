import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSourceResponse } from '../src/providers/source-response.ts';
import type { SourceResponse } from '../src/providers/provider.ts';
import type { Db } from '../src/storage/db.ts';
import { apiResponse, timestamp } from './support/providers/yahoo-responses.ts';
import { openRecordedWorld, type RecordedWorld } from './support/recorded-world.ts';
import { upcomingRow, calendarUrl, envelope } from './support/write-recording.ts';
import { emptyStore, memoryStore } from './support/stores.ts';

const NOW = '2026-02-01T12:00:00Z';
const FIRST = '2026-01-20T12:00:00Z';
const SECOND = '2026-01-22T12:00:00Z';

let db: Db;
let world: RecordedWorld;
beforeAll(async () => {
  db = await memoryStore();
});
beforeEach(async () => {
  await emptyStore(db);
  world = await openRecordedWorld(NOW, db);
});
afterAll(() => db.close());

test("lists the source, the archived response and the time for each field's provenance, without API keys", async () => {
  await world.ingest(calendar(FIRST, '$1.20'));
  await world.ingest(calendar(SECOND, '$1.25'));
  const [row] = rowsOf(await world.request('/v1/earnings?symbol=NRTH&include=provenance'));
  expect(row?.provenance?.['epsEstimate']).toMatchObject({ source: 'nasdaq', seenAt: SECOND });
  expect(row?.provenance?.['date']).toMatchObject({ source: 'nasdaq', seenAt: FIRST });
  const urls = Object.values(row?.provenance ?? {}).map((source) => source.url ?? '');
  expect(urls.every((url) => url.startsWith(calendarUrl('2026-02-10')))).toBe(true);
  expect(urls.join()).not.toContain('hunter2');
  expect(Object.keys(row?.provenance ?? {})).not.toContain('epsSurprise');
});

test('adds provenance as a JSON column at the end of a CSV table on request', async () => {
  await world.ingest(calendar(FIRST, '$1.20'));
  const path = '/v1/earnings?symbol=NRTH';
  const [row] = rowsOf(await world.request(`${path}&include=provenance`));
  const table = await world.request(`${path}&include=provenance&format=csv`);
  const [line] = parse(table, { columns: true }) as Record<string, string>[];
  expect(Object.keys(line ?? {}).at(-1)).toBe('provenance');
  expect(JSON.parse(line?.['provenance'] ?? '')).toEqual(row?.provenance);
  const [names] = (await world.request(`${path}&format=csv`)).split('\r\n');
  expect(names?.split(',')).not.toContain('provenance');
  const buckets = '/v1/calendar/earnings?date=2026-02-10&include=provenance&format=csv';
  const [reporting] = parse(await world.request(buckets), { columns: true }) as Record<
    string,
    string
  >[];
  expect(JSON.parse(reporting?.['provenance'] ?? '')).toEqual(row?.provenance);
});

test('serves estimates and call with the source of each part, and records a change only for a new range', async () => {
  await world.ingest(calendar(FIRST, '$1.20'));
  await world.ingest(companyPage(FIRST, { mean: 1.2, high: 1.3 }));
  await world.ingest(companyPage(SECOND, { mean: 1.2004, high: 1.3 }));
  const [rolled] = rowsOf(await world.request('/v1/earnings?symbol=NRTH&include=provenance'));
  expect(rolled).toMatchObject({
    callAt: '2026-02-10T22:00:00Z',
    estimates: {
      eps: { mean: 1.2004, low: 1.1, high: 1.3, count: 9, mean7DaysAgo: 1.2, revisions: null },
      revenue: { mean: 9e8, low: 8.8e8, high: 9.3e8, count: 7 },
    },
    updatedAt: FIRST,
  });
  expect(rolled?.provenance).toMatchObject({
    callAt: { source: 'yahoo', seenAt: FIRST },
    'estimates.eps': { source: 'yahoo', seenAt: SECOND },
    'estimates.revenue': { source: 'yahoo', seenAt: FIRST },
  });
  const { id } = rolled as unknown as { id: string };
  await world.ingest(companyPage('2026-01-23T12:00:00Z', { mean: 1.2, high: 1.4 }));
  const changes = JSON.parse(
    await world.request('/v1/changes?since=2026-01-01T00:00:00Z&symbols=NRTH'),
  ) as {
    changedFields: string[];
    fields: unknown;
  }[];
  const changed = changes.map(({ changedFields }) => changedFields);
  expect(changed.at(-1)).toEqual(['estimates']);
  expect(changed.filter((fields) => fields.includes('estimates'))).toHaveLength(2);
  expect(changes.at(-1)?.fields).toMatchObject({
    estimates: { from: { eps: { high: 1.3 } }, to: { eps: { high: 1.4 } } },
  });
  const revisions = JSON.parse(await world.request(`/v1/earnings/${id}/revisions`)) as {
    changedFields: string[];
    row: { estimates: { eps: { mean: number } } | null };
  }[];
  expect(revisions.slice(0, 2).map(({ changedFields }) => changedFields)).toEqual([
    ['estimates'],
    [],
  ]);
  expect(revisions[1]?.row.estimates?.eps.mean).toBe(1.2004);
});

test('returns no provenance by default and rejects unknown values for include', async () => {
  await world.ingest(calendar(FIRST, '$1.20'));
  const [row] = rowsOf(await world.request('/v1/earnings?symbol=NRTH'));
  expect(row).not.toHaveProperty('provenance');
  await expect(world.request('/v1/earnings?symbol=NRTH&include=all')).rejects.toThrow('400');
});

test('shows the values of all sources where they differ, with the reason for the choice', async () => {
  await world.ingest(calendar(FIRST, '$1.20'));
  const file = 'symbol,date,time,fiscal_period_end,eps_estimate\nNRTH,2026-02-11,,2025-12,1.2\n';
  await world.ingest(
    createSourceResponse({
      url: 'file:///earnings.csv',
      status: 200,
      contentType: 'text/csv',
      observedAt: Date.parse(SECOND),
      text: file,
    }),
  );
  const path = '/v1/earnings?symbol=NRTH&include';
  const [row] = rowsOf(await world.request(`${path}=alternatives`));
  expect(row).not.toHaveProperty('provenance');
  expect(Object.keys(row?.alternatives ?? {})).toEqual(['date']);
  expect(row?.alternatives?.['date']).toMatchObject({
    reason: 'Your own file outranks nasdaq.',
    values: [
      { value: '2026-02-11', source: 'files', url: null, seenAt: SECOND },
      { value: '2026-02-10', source: 'nasdaq', seenAt: FIRST },
    ],
  });
  const [both] = rowsOf(await world.request(`${path}=provenance,alternatives`));
  expect(both).toMatchObject({ alternatives: row?.alternatives, provenance: expect.anything() });
  const table = await world.request(`${path}=alternatives&format=csv`);
  const [line] = parse(table, { columns: true }) as Record<string, string>[];
  expect(JSON.parse(line?.['alternatives'] ?? '')).toEqual(row?.alternatives);
  await expect(world.request(`${path}=alternatives&asOf=${NOW}`)).rejects.toThrow('400');
  await expectAlternativesInCalendar(row?.alternatives);
});

/** Expects the earnings calendar to show the report's alternatives, a week of days at a time. */
async function expectAlternativesInCalendar(alternatives: unknown): Promise<void> {
  const calendarPath = '/v1/calendar/earnings?include=alternatives';
  const day = await world.request(`${calendarPath}&date=2026-02-11`);
  expect(JSON.parse(day)).toMatchObject({ notSupplied: [{ alternatives }] });
  const range = `${calendarPath}&from=2026-02-08&to=2026-03-08`;
  const week = JSON.parse(await world.request(`${range}&limit=1`)) as unknown[];
  expect(week[3]).toEqual(JSON.parse(day));
  const ofSymbol = JSON.parse(await world.request(`${range}&symbols=NRTH`)) as unknown[];
  expect(ofSymbol[3]).toEqual(JSON.parse(day));
  const table = await world.request(`${calendarPath}&date=2026-02-11&format=csv`);
  const [line] = parse(table, { columns: true }) as Record<string, string>[];
  expect(JSON.parse(line?.['alternatives'] ?? '')).toEqual(alternatives);
  await expect(world.request(range)).rejects.toThrow('at most 7 days');
  await expect(world.request(`${calendarPath}&date=2026-02-11&asOf=${NOW}`)).rejects.toThrow('400');
}

test('returns the same historical response regardless of data ingested later', async () => {
  await world.ingest(calendar(FIRST, '$1.20'));
  const paths = [
    `/v1/earnings?symbol=NRTH&include=provenance&asOf=${NOW}`,
    `/v1/calendar/earnings?from=2026-02-01&to=2026-02-28&symbols=nrth&asOf=${NOW}`,
    `/v1/profile/NRTH?asOf=${NOW}`,
  ];
  const before = await Promise.all(paths.map((path) => world.request(path)));
  const changed = await world.request('/v1/earnings?symbol=NRTH');
  await world.ingest(calendar(SECOND, '$1.25'));
  expect(await Promise.all(paths.map((path) => world.request(path)))).toEqual(before);
  expect(await world.request('/v1/earnings?symbol=NRTH')).not.toBe(changed);
  await expect(world.request('/v1/profile/NRTH?asOf=2026-02-01T12:00:00.001Z')).rejects.toThrow(
    '400',
  );
});

/** Returns a company page with the report's call and estimates. */
function companyPage(seenAt: string, { mean, high }: { mean: number; high: number }) {
  const quarter = {
    period: '0q',
    endDate: '2025-12-31',
    earningsEstimate: { avg: mean, low: 1.1, high, numberOfAnalysts: 9 },
    revenueEstimate: { avg: 9e8, low: 8.8e8, high: 9.3e8, numberOfAnalysts: 7 },
    epsTrend: { '7daysAgo': 1.2 },
  };
  const earnings = {
    earningsDate: [timestamp('2026-02-10', 970)],
    earningsCallDate: [timestamp('2026-02-10', 17 * 60)],
    isEarningsDateEstimate: false,
  };
  const modules = { calendarEvents: { earnings }, earningsTrend: { trend: [quarter] } };
  const body = { quoteSummary: { result: [modules], error: null } };
  return apiResponse('v10/finance/quoteSummary/NRTH?modules=x', body, seenAt);
}

function calendar(observedAt: string, epsForecast: string): SourceResponse {
  return createSourceResponse({
    url: `${calendarUrl('2026-02-10')}&apikey=hunter2`,
    status: 200,
    contentType: 'application/json',
    observedAt: Date.parse(observedAt),
    text: JSON.stringify(envelope([upcomingRow('NRTH', { epsForecast })])),
  });
}

interface SourcedRow {
  alternatives?: Record<string, unknown>;
  provenance?: Record<string, { source: string; url: string | null; seenAt: string }>;
}

function rowsOf(body: string): SourcedRow[] {
  return JSON.parse(body) as SourcedRow[];
}
