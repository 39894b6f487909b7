import { afterAll, beforeEach, expect, test } from 'vitest';
import { parameterValues } from '../../../test/support/parameter-values.ts';
import { eventOf, securityOf, storeRows } from '../../../test/support/stored-earnings.ts';
import { emptyStore, memoryStore } from '../../../test/support/stores.ts';
import { earningsVersions } from '../../datasets/earnings/store.ts';
import { localDate } from '../../domain/local-date.ts';
import { endpoint } from '../../endpoints/earnings-reactions.ts';
import { ResponseCache } from '../response-cache.ts';
import { ResponseLoader } from './response-loader.ts';
import { writeCursor } from './cursor.ts';

const NOW = Date.parse('2026-11-21T15:00:00Z');
const DATES = ['2026-11-03', '2026-08-03', '2026-05-03', '2026-02-03', '2025-11-03'];
const db = await memoryStore();

beforeEach(async () => {
  await emptyStore(db);
  const events = ['MERD', 'QUIE'].flatMap((symbol) =>
    DATES.map((date) => {
      const reported = { date: localDate(date), dateStatus: 'reported' as const, eps: '1' };
      return eventOf(symbol, { id: `ern_${symbol}_${date}`, ...reported });
    }),
  );
  await storeRows(db, { securities: [securityOf('MERD'), securityOf('QUIE')], events });
});
afterAll(() => db.close());

test('returns the whole list across pages, and its length, for an endpoint with its own limit', async () => {
  const first = await ask(null);
  const second = await ask(first.next);
  const third = await ask(second.next);
  expect([...first.dates, ...second.dates, ...third.dates]).toEqual(DATES);
  expect([first.total, third.total, third.next]).toEqual(['5', '5', null]);
});

test('does not skip a report if another report is withdrawn between two pages', async () => {
  const { next } = await ask(null);
  await withdraw('ern_MERD_2026-11-03');
  expect((await ask(next)).dates).toEqual(['2026-05-03', '2026-02-03']);
});

test('rejects a cursor if the report that it refers to was withdrawn', async () => {
  const { next } = await ask(null);
  await withdraw('ern_MERD_2026-08-03');
  expect(await refusalOf(next)).toMatchObject({ parameter: 'cursor' });
});

test("rejects a cursor from another company's list and a cursor with an arbitrary offset", async () => {
  const { next } = await ask(null);
  expect(await refusalOf(next, 'QUIE')).toMatchObject({ parameter: 'cursor' });
  for (const offset of [3, 999_999]) {
    const cursor = writeCursor({ offset, lastRow: '0'.repeat(16) });
    expect(await refusalOf(cursor)).toMatchObject({ parameter: 'cursor' });
  }
});

async function ask(cursor: string | null) {
  const result = await load(cursor, 'MERD');
  if ('refusal' in result) throw new Error(result.refusal.detail);
  const { body, headers } = result.response;
  const named = (name: string): string | undefined => headers[headers.indexOf(name) + 1];
  const link = headers.includes('Link') ? named('Link') : undefined;
  return {
    dates: (JSON.parse(body.toString()) as { date: string }[]).map(({ date }) => date),
    total: named('X-Total-Count'),
    next: /cursor=([\w-]+)/.exec(link ?? '')?.[1] ?? null,
  };
}

async function refusalOf(cursor: string | null, symbol = 'MERD') {
  const result = await load(cursor, symbol);
  return 'refusal' in result ? result.refusal.members : null;
}

/** Uses a new cache for every call, so that each call reads the store. */
function load(cursor: string | null, symbol: string) {
  const cache = new ResponseCache({ sizeMaxBytes: 1_000_000 });
  const values = parameterValues({ symbol, limit: 2, cursor });
  const question = {
    endpoint,
    values,
    location: endpoint.path,
    historyFrom: null,
    watchlistScope: null,
  };
  return new ResponseLoader({ cache, db, dataSource: 'synthetic' }).load(question, NOW);
}

function withdraw(id: string): Promise<void> {
  return db.transaction((tx) => earningsVersions.close(tx, [id], NOW));
}
