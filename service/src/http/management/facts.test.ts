import { afterAll, beforeAll, expect, test } from 'vitest';
import { ingestDividends, ingestFile } from '../../../test/support/operator-files.ts';
import {
  type Management,
  type Reply,
  startManagement,
} from '../../../test/support/management-server.ts';
import { memoryStore } from '../../../test/support/stores.ts';
import { datasets } from '../../datasets/registry.gen.ts';
import type { Db } from '../../storage/db.ts';

const NOW = Date.UTC(2026, 10, 20, 15, 30);
const HOUR_MS = 3_600_000;

let db: Db;
let management: Management;
let headers: Record<string, string>;

beforeAll(async () => {
  db = await memoryStore();
  management = await startManagement(db);
  ({ headers } = await management.person('operator', null));
  const securities = ['QPR,Quiet Pine Research', 'REED,Reed Beds', 'PINE,Alder Works'];
  await ingestFile(db, { name: 'securities.csv', lines: ['symbol,name', ...securities], at: NOW });
  const head = 'symbol,date,fiscalPeriodEnd,epsEstimate';
  const earnings = (at: number, estimate: string) =>
    ingestFile(db, {
      name: 'earnings.csv',
      at,
      lines: [
        head,
        `QPR,2026-12-01,2026-09-30,${estimate}`,
        'QPR,2027-03-01,2026-12-31,9.99',
        'REED,2026-12-02,2026-09-30,3',
      ],
    });
  await earnings(NOW, '1.25');
  await earnings(NOW + HOUR_MS, '1.35');
  await ingestDividends(db, ['PINE,2026-12-01,2026-12-01,2026-12-10,,0.25,USD,cash'], NOW);
  await ingestFile(db, {
    name: 'economic-events.csv',
    at: NOW,
    lines: ['date,eventName,country,time', '2026-12-10,Quiet Index,United States,08:30'],
  });
  await ingestFile(db, {
    name: 'ipos.csv',
    at: NOW,
    lines: ['companyName,status,symbol,expectedDate', 'Heron Works,expected,HRNW,2026-12-04'],
  });
});
afterAll(async () => {
  await management.stop();
  await db.close();
});

function ask(path: string): Promise<Reply> {
  return management.call('GET', `/operator/v1/facts${path}`, { headers });
}

async function found(path: string): Promise<{ id: string; symbol: string | null }[]> {
  return (await ask(path)).json['facts'] as { id: string; symbol: string | null }[];
}

test('shows the source of each field, all observations and every version of a fact', async () => {
  const [fact] = await found('/earnings?symbol=qpr&date=2026-12-01');
  const { json } = await ask(`/earnings/${fact?.id}`);
  expect(json).toMatchObject({
    dataset: 'earnings',
    id: fact?.id,
    isStanding: true,
    facts: { symbol: 'QPR', date: '2026-12-01', epsEstimate: '1.35' },
    provenance: {
      date: { provider: 'files', feed: 'earnings', seenAt: '2026-11-20T15:30:00Z' },
      epsEstimate: { provider: 'files', seenAt: '2026-11-20T16:30:00Z' },
    },
  });
  expect(json['observations']).toMatchObject([
    { fields: { epsEstimate: '1.35' }, isLatest: true, lastSeenAt: '2026-11-20T16:30:00Z' },
    { fields: { epsEstimate: '1.25' }, isLatest: false, firstSeenAt: '2026-11-20T15:30:00Z' },
  ]);
  expect(json['versions']).toMatchObject([
    { knownFrom: '2026-11-20T16:30:00Z', knownTo: null, facts: { epsEstimate: '1.35' } },
    { knownFrom: '2026-11-20T15:30:00Z', knownTo: '2026-11-20T16:30:00Z' },
  ]);
  const [newest] = json['versions'] as { changedFields: string[] }[];
  expect(newest?.changedFields).toContain('epsEstimate');
  expect(newest?.changedFields).not.toContain('date');
});

test('finds facts by part of a name, by symbol and by date', async () => {
  expect(await found('/earnings?search=pine')).toHaveLength(2);
  expect(await found('/earnings?search=reed')).toMatchObject([{ symbol: 'REED' }]);
  expect(await found('/earnings?date=2026-12-02')).toMatchObject([{ symbol: 'REED' }]);
  expect(await found('/earnings?symbol=NONE')).toEqual([]);
  expect(await found('/economic-events?search=quiet')).toHaveLength(1);
  expect(await found('/economic-events?symbol=QPR')).toEqual([]);
  expect(await found('/ipos?search=heron')).toMatchObject([{ symbol: 'HRNW' }]);
  const bad = await ask('/earnings?date=someday');
  expect(bad.json).toMatchObject({ code: 'invalid-parameter', parameter: 'date' });
});

test.each(['earnings', 'economic-events', 'ipos', 'dividends', 'profiles'])(
  'lists every %s fact exactly once across pages, each with its observations',
  async (dataset) => {
    const all = await found(`/${dataset}`);
    expect(all.length).toBeGreaterThan(0);
    const seen: string[] = [];
    let next: string | null = null;
    do {
      const query = new URLSearchParams({ limit: '1', ...(next === null ? {} : { before: next }) });
      const page: Reply = await ask(`/${dataset}?${query.toString()}`);
      seen.push(...(page.json['facts'] as { id: string }[]).map(({ id }) => id));
      next = page.json['next'] as string | null;
    } while (next !== null);
    expect(seen).toEqual(all.map(({ id }) => id));
    for (const id of seen) {
      const { json } = await ask(`/${dataset}/${encodeURIComponent(id)}`);
      expect(json).toMatchObject({ dataset, id, isStanding: true });
      if (dataset !== 'profiles') expect(json['observations']).not.toEqual([]);
    }
  },
);

test('rejects a page token of a data set that is sorted by another field', async () => {
  const { json } = await ask('/profiles?limit=1');
  const query = new URLSearchParams({ before: String(json['next']) });
  expect((await ask(`/profiles?${query.toString()}`)).status).toBe(200);
  const rejected = await ask(`/earnings?${query.toString()}`);
  expect([rejected.status, rejected.json['parameter']]).toEqual([400, 'before']);
});

test('lists the data sets that can be browsed and rejects all others', async () => {
  const names = datasets.filter(({ explore }) => explore !== undefined).map(({ name }) => name);
  expect((await ask('')).rows.map(({ name }) => name)).toEqual(names);
  for (const path of ['/bars', '/nothing', '/earnings/ern_none']) {
    expect((await ask(path)).status).toBe(404);
  }
});
