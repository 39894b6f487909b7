import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { poolTexts } from './text-pool.ts';

test('lists each distinct text in a pool once, in the order of its first row', () => {
  expect(poolTexts(['b', 'a', null, 'b', ''])).toEqual({
    texts: ['b', 'a', ''],
    indexes: [1, 2, null, 1, 3],
  });
  expect(poolTexts([])).toEqual({ texts: [], indexes: [] });
});

onEachEngine((db) => {
  test('lets SQL look up the pooled text of each row by its index', async () => {
    const values = ['{"a":"ü, \\"x\\""}', null, '', 'NULL', '{"a":"ü, \\"x\\""}'];
    const { texts, indexes } = poolTexts(values);
    const rows = await db().query<{ text: string | null }>(
      `select ($1::text[])[r.index_of] as text
         from unnest($2::int4[]) with ordinality as r(index_of, n) order by r.n`,
      [texts, indexes],
    );
    expect(rows.map(({ text }) => text)).toEqual(values);
  });
});
