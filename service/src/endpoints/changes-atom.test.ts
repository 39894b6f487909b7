import { expect, test } from 'vitest';
import { onEachEngine } from '../../test/support/each-engine.ts';
import { parameterValues } from '../../test/support/parameter-values.ts';
import { writeChanges } from '../datasets/changes/store.ts';
import type { Change } from '../datasets/dataset.ts';
import { localDate, type LocalDate } from '../domain/local-date.ts';
import type { Db } from '../storage/db.ts';
import { endpoint } from './changes-atom.ts';
import { changeTitle } from './rows/change-entry.ts';
import type { ChangeRow } from './rows/change-row.ts';

const NOW = Date.parse('2026-11-20T15:00:00Z');

const ROW: ChangeRow = {
  id: 'chg_000000000001',
  at: '2026-11-20T15:00:00Z',
  observedAt: '2026-11-20T15:00:00Z',
  dataset: 'earnings',
  kind: 'changed',
  eventId: 'ern_1',
  symbol: 'NRTH',
  changedFields: [],
  fields: {},
};

onEachEngine((db) => {
  test('returns the newest changes, newest first, with ids that never change', async () => {
    await write(db(), [moved('NRTH', 1), moved('VLY', 2)], NOW);
    const before = await readFeed(db(), {});
    await write(db(), [moved('NRTH', 3)], NOW + 60_000);
    const after = await readFeed(db(), {});
    expect(after.titles).toEqual([
      'NRTH moved its report from 2026-11-03 to 2026-11-04',
      'VLY moved its report from 2026-11-02 to 2026-11-03',
      'NRTH moved its report from 2026-11-01 to 2026-11-02',
    ]);
    expect(after.ids.slice(1)).toEqual(before.ids);
    expect(new Set([after.id, ...after.ids]).size).toBe(4);
    for (const id of [after.id, ...after.ids]) {
      expect(id).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
    }
    expect([after.id, after.updated]).toEqual([before.id, '2026-11-20T15:01:00Z']);
    expect((await readFeed(db(), { limit: 1 })).titles).toEqual(after.titles.slice(0, 1));
  });

  test('selects the changes that the list selects', async () => {
    const renamed: Change = {
      ...moved('NRTH', 1),
      dataset: 'profiles',
      changedFields: ['symbol'],
      fields: { symbol: { from: 'OLDN', to: 'NRTH' } },
    };
    const hidden = { ...moved('NRTH', 2), changedFields: ['markerAhead'] };
    const release = { ...moved('VLY', 3), dataset: 'economic-events', entityId: 'us-cpi:2026-10' };
    const old = { ...moved('VLY', 4), fields: { date: { from: null, to: '2020-01-02' } } };
    await write(db(), [renamed, hidden, release, old, moved('OTTR', 5)], NOW);
    const titles = async (
      given: Parameters<typeof parameterValues>[0],
      from: LocalDate | null = null,
    ) => (await readFeed(db(), given, from)).titles;
    expect(await titles({ symbols: ['OLDN'] })).toEqual(['NRTH is the new symbol of OLDN']);
    expect(await titles({ symbols: ['NRTH', 'VLY'] })).toEqual([
      'VLY moved its report from unknown to 2020-01-02',
      'NRTH is the new symbol of OLDN',
    ]);
    expect(await titles({ symbols: ['OTTR', 'VLY'], limit: 1 })).toHaveLength(1);
    expect(await titles({ dataset: 'economic-events' })).toEqual([
      'us-cpi:2026-10: release changed (date)',
    ]);
    expect(await titles({ symbols: ['VLY'] }, localDate('2024-11-20'))).toEqual([]);
    expect(await titles({ symbols: [] })).toEqual([]);
    expect(await titles({})).toHaveLength(4);
  });

  test('escapes what sources wrote, and is valid without changes', async () => {
    const empty = await readFeed(db(), {});
    expect([empty.titles, empty.updated]).toEqual([[], '1970-01-01T00:00:00Z']);
    const name = '<script>alert("1 & 2")</script>\u0007';
    const offering: Change = {
      ...moved('', 1),
      dataset: 'ipos',
      kind: 'added',
      changedFields: ['companyName', 'date'],
      fields: {
        companyName: { from: null, to: name },
        date: { from: null, to: '2026-12-01' },
      },
    };
    await write(db(), [offering], NOW);
    const { text } = await readFeed(db(), {});
    expect(text).toContain(
      '<title>&lt;script&gt;alert(&quot;1 &amp; 2&quot;)&lt;/script&gt;: offering of 2026-12-01 added</title>',
    );
    expect(text).toContain('&lt;p&gt;companyName: &amp;lt;script&amp;gt;');
    expect(text).not.toContain('\u0007');
  });
});

test('links to itself and to companies, and shows a watchlist by its name', async () => {
  const values = parameterValues({ symbols: ['AAA', 'BBB'] });
  const record = { ...moved('BRK.B', 1), id: 1, committedAt: NOW };
  const context = { now: NOW, db: { query: () => Promise.resolve([record]) } as never };
  const location = '/v1/changes.atom?symbols=%40tech&limit=5';
  const baseUrl = 'https://data.example';
  const feed = await endpoint.handle(values, { ...context, location, baseUrl });
  const text = feed.kind === 'text' ? feed.body : '';
  expect(text).toContain('href="https://data.example/v1/changes.atom?symbols=%40tech&amp;limit=5"');
  expect(text).toContain('href="https://data.example/dashboard/symbols/BRK.B"');
  expect(text).toContain('<title>Changes: @tech</title>');
  expect(text).not.toContain('AAA');
});

test.each([
  [{ eps: [null, 1.36], revenue: [null, 801500000] }, 'NRTH reported EPS 1.36, revenue 801500000'],
  [
    { date: ['2026-11-19', '2026-11-20'], dateStatus: ['projected', 'confirmed'] },
    'NRTH moved its report from 2026-11-19 to 2026-11-20, confirmed',
  ],
  [{ dateStatus: ['projected', 'confirmed'] }, 'NRTH confirmed the date of its report'],
  [{ epsEstimate: [1.2, 1.3] }, 'NRTH has a new EPS estimate: 1.3 (was 1.2)'],
  [
    { eps: [1, 2], a: [1, 2], b: [1, 2], c: [1, 2], d: [1, 2] },
    'NRTH: report changed (eps, a, b, c and 1 more)',
  ],
])('describes the change %j', (fields, title) => {
  const pairs = Object.entries(fields).map(([name, [from, to]]) => [name, { from, to }]);
  const row = { ...ROW, changedFields: Object.keys(fields), fields: Object.fromEntries(pairs) };
  expect(changeTitle(row)).toBe(title);
});

function moved(symbol: string, day: number): Change {
  const [from, to] = [`2026-11-0${day}`, `2026-11-0${day + 1}`];
  return {
    dataset: 'earnings',
    entityId: `ern_${symbol}`,
    symbol,
    kind: 'changed',
    changedFields: ['date'],
    fields: { date: { from, to } },
    observedAt: NOW,
  };
}

function write(db: Db, changes: readonly Change[], now: number): Promise<void> {
  return db.transaction((tx) => writeChanges(tx, changes, new Set(), now));
}

async function readFeed(
  db: Db,
  given: Parameters<typeof parameterValues>[0],
  historyFrom: LocalDate | null = null,
) {
  const feed = await endpoint.handle(parameterValues(given), {
    db,
    now: NOW,
    historyFrom,
  });
  if (feed.kind !== 'text') throw new Error('the feed is not text');
  const [head = '', ...entries] = feed.body.split('<entry>');
  const all = (text: string, name: string) =>
    [...text.matchAll(new RegExp(`<${name}>(.*)</${name}>`, 'g'))].map(([, value = '']) => value);
  return {
    text: feed.body,
    id: all(head, 'id')[0] ?? '',
    updated: all(head, 'updated')[0],
    ids: entries.flatMap((entry) => all(entry, 'id')),
    titles: entries.flatMap((entry) => all(entry, 'title')),
  };
}
