import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parameterValues } from '../../test/support/parameter-values.ts';
import { barOf, ingestFileBars } from '../../test/support/stored-bars.ts';
import { eventOf, SEEN_AT, securityOf, storeRows } from '../../test/support/stored-earnings.ts';
import { memoryStore } from '../../test/support/stores.ts';
import { localDate } from '../domain/local-date.ts';
import type { Db } from '../storage/db.ts';
import { endpoint as single } from './profile.ts';
import { endpoint } from './profiles.ts';

const check = Compile(endpoint.response);
const NOW = Date.parse('2026-11-21T15:00:00Z');
let db: Db;

beforeAll(async () => {
  db = await memoryStore();
  await storeRows(db, {
    securities: [
      securityOf('MERD', {
        symbols: [
          { symbol: 'OLDM', from: null, to: localDate('2026-11-11') },
          { symbol: 'MERD', from: localDate('2026-11-12'), to: null },
        ],
      }),
      securityOf('GONE', { active: false }),
      securityOf('QUIE'),
    ],
    events: [eventOf('MERD', { date: localDate('2026-12-01') }), eventOf('QUIE')],
    marketCaps: { QUIE: '5000000' },
  });
  await ingestFileBars(db, [barOf('MERD', '2026-11-20', '11')]);
});
afterAll(() => db.close());

test('returns the same profiles as for single symbols, sorted by symbol', async () => {
  for (const past of [{}, { asOf: SEEN_AT }, { asOf: SEEN_AT, known: 'public' }]) {
    const rows = await bodyOf({ symbols: ['GONE', 'MERD', 'QUIE'], ...past });
    const expected: unknown[] = [];
    for (const symbol of ['GONE', 'MERD', 'QUIE']) {
      const response = await single.handle(parameterValues({ symbol, ...past }), { db, now: NOW });
      if (response.kind === 'body') expected.push(response.body);
    }
    expect(rows.body).toEqual(expected);
    expect(check.Check(rows.body)).toBe(true);
  }
});

test('omits symbols that no security has, and names them with their successors', async () => {
  expect(await bodyOf({ symbols: ['MERD', 'NONE', 'OLDM'] })).toMatchObject({
    body: [{ symbol: 'MERD', price: 11, active: true }],
    unknownSymbols: [
      { symbol: 'NONE', successorSymbol: null },
      { symbol: 'OLDM', successorSymbol: 'MERD' },
    ],
  });
  expect(await bodyOf({ symbols: ['NONE'] })).toMatchObject({ body: [], asOf: null });
});

test('invalidates a response when any of its companies changes', () => {
  const topics = endpoint.topics(parameterValues({ symbols: ['MERD', 'QUIE'] }), NOW);
  expect(topics).toEqual(expect.arrayContaining(['profile:MERD', 'profile:QUIE']));
});

test('has an example that matches the schema', () => {
  expect(check.Check(endpoint.example)).toBe(true);
});

async function bodyOf(parameters: Parameters<typeof parameterValues>[0]) {
  const response = await endpoint.handle(parameterValues(parameters), { db, now: NOW });
  if (response.kind !== 'body') throw new Error(response.kind);
  return response;
}
