import { expect, test } from 'vitest';
import { memoryStore } from '../../test/support/stores.ts';
import { Recordset, sql, statement } from './sql.ts';

test('numbers SQL placeholders in order of appearance, across spliced pieces', () => {
  const active = sql`state = ${'active'}`;
  const query = sql`select id from t where a = ${1} and ${active} and b = ${2}`;
  expect(query.text).toBe('select id from t where a = $1 and state = $2 and b = $3');
  expect(query.params).toEqual([1, 'active', 2]);
});

test('sends an array parameter once, however often it is used, and repeats scalars', () => {
  const ids = ['a', 'b'];
  const query = sql`${ids} ${ids} ${1} ${1}`;
  expect(query.text).toBe('$1 $1 $2 $3');
  expect(query.params).toEqual([ids, 1, 1]);
});

test('renumbers a piece of SQL in every statement into which it is spliced', () => {
  const piece = sql`x = ${'x'}`;
  expect(sql`${1} and ${piece}`.text).toBe('$1 and x = $2');
  expect(sql`${piece}`.text).toBe('x = $1');
});

test("keeps a recordset's SQL text the same for any number of rows", () => {
  const shape = { id: 'text', n: 'int4' } as const;
  const none = sql`select * from ${new Recordset(shape, []).as('r')}`;
  const two = new Recordset(shape, [
    { id: 'a', n: 1 },
    { id: 'b', n: null },
  ]);
  expect(sql`select * from ${two.as('r')}`.text).toBe(none.text);
  expect(none.text).toBe('select * from unnest($1::text[], $2::int4[]) as r("id", "n")');
  expect(two.as('r', ['n']).text).toBe('unnest($1::int4[]) as r("n")');
});

test("sends a recordset's typed rows to the store, including nulls and columns named like keywords", async () => {
  const db = await memoryStore();
  const shape = { id: 'text', order: 'int4', rate: 'float8', on: 'bool' } as const;
  const rows = [
    { id: "it's", order: 7, rate: 0.1, on: true },
    { id: 'null', order: null, rate: null, on: null },
  ];
  const query = sql`select * from ${new Recordset(shape, rows).as('r')} where id <> ${'other'}`;
  expect(await db.query(...statement(query))).toEqual(rows);
  await db.close();
});
