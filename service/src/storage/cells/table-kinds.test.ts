import { expect, test } from 'vitest';
import { memoryStore } from '../../../test/support/stores.ts';
import { FACT_TABLES, LOCAL_COLUMNS, TABLE_KINDS } from './table-kinds.ts';

test('every table has a kind, and facts have a primary key and refer to facts only', async () => {
  const db = await memoryStore();
  try {
    const tables = await db.query<{ name: string }>(
      `select relname::text as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname collate "C"`,
    );
    expect(tables.map(({ name }) => name)).toEqual(Object.keys(TABLE_KINDS).toSorted());
    const keyed = await db.query<{ name: string }>(
      `select distinct conrelid::regclass::text as name from pg_constraint where contype = 'p'`,
    );
    expect(keyed.map(({ name }) => name)).toEqual(expect.arrayContaining([...FACT_TABLES]));
    const references = await db.query<{ from: string; to: string }>(
      `select conrelid::regclass::text as from, confrelid::regclass::text as to
         from pg_constraint where contype = 'f'`,
    );
    const mixed = references.filter(
      ({ from, to }) => TABLE_KINDS[from] !== TABLE_KINDS[to] && to !== 'plan',
    );
    expect(mixed, 'replication does not check references').toEqual([
      { from: 'raw_answer', to: 'raw_body' },
    ]);
  } finally {
    await db.close();
  }
});

test('columns that each store writes for itself belong to facts and may be null', async () => {
  const db = await memoryStore();
  try {
    for (const [table, columns] of Object.entries(LOCAL_COLUMNS)) {
      expect(TABLE_KINDS[table]).toBe('fact');
      const nullable = await db.query<{ name: string }>(
        `select attname::text as name from pg_attribute
          where attrelid = $1::regclass and attnum > 0 and not attnotnull`,
        [table],
      );
      expect(nullable.map(({ name }) => name)).toEqual(expect.arrayContaining([...columns]));
    }
  } finally {
    await db.close();
  }
});
