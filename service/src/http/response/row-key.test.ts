import { afterAll, beforeEach, expect, test } from 'vitest';
import { parameterValues } from '../../../test/support/parameter-values.ts';
import { eventOf, securityOf, storeRows } from '../../../test/support/stored-earnings.ts';
import { emptyStore, memoryStore } from '../../../test/support/stores.ts';
import { earningsVersions } from '../../datasets/earnings/store.ts';
import { recordQuotes } from '../../datasets/quotes/store.ts';
import { localDate } from '../../domain/local-date.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import { endpoint as calendar } from '../../endpoints/calendar-earnings.ts';
import { endpoint as revisions } from '../../endpoints/earnings-revisions.ts';
import { endpoints } from '../../endpoints/registry.gen.ts';
import { ResponseCache } from '../response-cache.ts';
import { returnsArray } from '../request/endpoint-parameters.ts';
import { ResponseLoader } from './response-loader.ts';

const NOW = Date.parse('2026-11-21T15:00:00Z');
const REPORT = eventOf('MERD', { date: localDate('2026-11-19') });
const db = await memoryStore();

beforeEach(async () => {
  await emptyStore(db);
  await storeRows(db, { securities: [securityOf('MERD')], events: [REPORT] });
});
afterAll(() => db.close());

test('continues a day of the earnings calendar whose order changed in the meantime', async () => {
  await storeRows(db, { events: [eventOf('OTTR', { date: REPORT.date })] });
  const days = { from: '2026-11-18', to: '2026-11-21' };
  const first = await ask(calendar, days, null, 1);
  await db.transaction((tx) => recordQuotes(tx, [{ symbol: 'OTTR', marketCap: '7' }], NOW));
  const second = await ask(calendar, days, first.next, 1);
  expect([first, second].map(({ rows }) => rows.map(({ date, pre }) => [date, pre]))).toEqual([
    [
      ['2026-11-18', []],
      ['2026-11-19', [expect.objectContaining({ symbol: 'MERD' })]],
    ],
    [
      ['2026-11-19', [expect.objectContaining({ symbol: 'OTTR' })]],
      ['2026-11-20', []],
      ['2026-11-21', []],
    ],
  ]);
  expect([first.next, second.next]).toEqual([expect.any(String), null]);
});

test('continues pagination after a version that was superseded in the meantime', async () => {
  await replace({ ...REPORT, epsEstimate: '1.3' });
  const first = await ask(revisions, { id: REPORT.id }, null, 1);
  await replace({ ...REPORT, epsEstimate: '1.4' });
  const second = await ask(revisions, { id: REPORT.id }, first.next, 1);
  const estimates = [first, second].map(({ rows }) => rows.map(({ row }) => row?.epsEstimate));
  expect(estimates).toEqual([[1.3], [1.2]]);
});

test("identifies the rows of every list by an ID or by the endpoint's row key", () => {
  // Reactions and the earnings calendar are paginated by the IDs of reports, a search by securities.
  const ownPages = ['earnings-reactions', 'calendar-earnings', 'symbols'];
  const lists = endpoints.filter(({ name }) => !ownPages.includes(name)).filter(isPaged);
  expect(lists.map(({ name }) => name)).toContain('market-holidays');
  for (const { name, response, rowKey = ['id'] } of lists) {
    const forms = ('anyOf' in response ? response.anyOf : [response]) as Form[];
    const row = forms.flatMap(({ items }) => Object.keys(items?.properties ?? {}));
    expect(row, name).toEqual(expect.arrayContaining([...rowKey]));
  }
});

interface Form {
  items?: { properties?: object };
}

function isPaged(endpoint: Endpoint): boolean {
  return returnsArray(endpoint) && endpoint.positionParameter === undefined;
}

async function ask(
  endpoint: Endpoint,
  parameters: Record<string, string>,
  cursor: string | null,
  limit = 2,
) {
  const cache = new ResponseCache({ sizeMaxBytes: 1_000_000 });
  const values = parameterValues({ ...parameters, limit, cursor });
  const question = {
    endpoint,
    values,
    location: endpoint.path,
    historyFrom: null,
    watchlistScope: null,
  };
  const result = await new ResponseLoader({ cache, db, dataSource: 'synthetic' }).load(
    question,
    NOW,
  );
  if ('refusal' in result) throw new Error(result.refusal.detail);
  const { body, headers } = result.response;
  return {
    rows: JSON.parse(body.toString()) as {
      date?: string;
      pre?: unknown;
      row?: { epsEstimate: number };
    }[],
    next: /cursor=([\w-]+)/.exec(headers.join(' '))?.[1] ?? null,
  };
}

let commits = 0;

async function replace(version: typeof REPORT): Promise<void> {
  const now = NOW + (commits += 1);
  await db.transaction(async (tx) => {
    await earningsVersions.close(tx, [version.id], now);
    await earningsVersions.insert(tx, [version], now);
  });
}
