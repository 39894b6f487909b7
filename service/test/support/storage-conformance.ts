import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyLine } from '../../src/storage/values/copy-line.ts';
import type { Db, SqlValue, Transaction } from '../../src/storage/db.ts';
import {
  StoreUnavailableError,
  sqlState,
  TransactionAbortedError,
} from '../../src/storage/errors.ts';

/** Opens a new, empty store with the driver under test. */
export type OpenForTest = () => Promise<Db>;

/**
 * Defines the conformance suite for store drivers. `canPrepare` is false where a statement cannot be
 * prepared for the next transaction.
 */
export function describeDriver(
  driver: string,
  open: OpenForTest,
  { canPrepare = true } = {},
): void {
  describe(`${driver} conformance`, () => {
    let db: Db;
    beforeAll(async () => {
      db = await open();
      await db.execute('create table sample (id integer primary key, note text)');
    });
    afterAll(() => db.close());

    valuesIn(() => db);
    transactionsIn(() => db);
    concurrencyIn(() => db);
    preparedStatementsIn(() => db, canPrepare);
    copyingIn(() => db);
    failuresIn(() => db);
    closingOf(open);
  });
}

// An expression with one parameter, the parameter, and the expected value.
const ROUND_TRIPS: [string, SqlValue, unknown][] = [
  ['$1::text', '', ''],
  ['$1::text', `it's "quoted" \\ {a,b} ünï 😀`, `it's "quoted" \\ {a,b} ünï 😀`],
  ['$1::text', 12.5, '12.5'],
  ['$1::text', null, null],
  ['$1::boolean', true, true],
  ['$1::boolean', false, false],
  ['$1::int4', -2147483648, -2147483648],
  ['$1::int8', 9007199254740991, 9007199254740991],
  ['$1::int8', '-9007199254740991', -9007199254740991],
  ['$1::int4::int8', 0, 0],
  ['$1::float8', 0.1, 0.1],
  ['$1::float8', -1e-300, -1e-300],
  ['$1::float8', 1.7976931348623157e308, 1.7976931348623157e308],
  ['$1::float8', Infinity, Infinity],
  ['$1::float8', NaN, NaN],
  ['$1::numeric', '123456789012345678901234567890.10', '123456789012345678901234567890.10'],
  ['$1::numeric', 1.5, '1.5'],
  ['$1::uuid', '6f9619ff-8b86-4d01-b42d-00cf4fc964ff', '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'],
  ['$1::date', '2024-02-29', '2024-02-29'],
  ['$1::date', '1969-07-20', '1969-07-20'],
  ['$1::date', '0001-01-01', '0001-01-01'],
  // Days on which clocks in New York, Havana and Apia skip an hour, midnight or the whole day.
  ['$1::date', '2026-03-08', '2026-03-08'],
  ['$1::date', '2011-12-30', '2011-12-30'],
  ['to_timestamp($1 / 1000.0)', 0, 0],
  ['to_timestamp($1 / 1000.0)', 1772953200123, 1772953200123],
  ['to_timestamp($1 / 1000.0)', -1, -1],
  ['to_timestamp($1 / 1000.0)', -62135596800000, -62135596800000],
  ['$1::timestamptz', '2026-03-08T02:30:00-05:00', Date.UTC(2026, 2, 8, 7, 30)],
  ['$1::timestamptz', '1883-11-18T12:00:00.999999Z', Date.UTC(1883, 10, 18, 12, 0, 0, 999)],
  ['$1::timestamptz', '12026-01-01T00:00:00Z', Date.UTC(12026, 0, 1)],
  ['$1::timestamptz', '0044-03-15 00:00:00+00 BC', new Date(0).setUTCFullYear(-43, 2, 15)],
  ['$1::timestamptz', 'infinity', Infinity],
  ['$1::jsonb', '{"a":[1,null,"x"],"b":{"c":1.5}}', { a: [1, null, 'x'], b: { c: 1.5 } }],
  ['$1::jsonb', 'null', null],
  ['$1::jsonb', '"text"', 'text'],
  ['$1::text[]', [], []],
  [
    '$1::text[]',
    ['a', '', 'NULL', '"', '\\', '{,}', ' '],
    ['a', '', 'NULL', '"', '\\', '{,}', ' '],
  ],
  ['array[$1::text, null]', 'NULL', ['NULL', null]],
  ['$1::text[]', [null, 'null', 'NULL'], [null, 'null', 'NULL']],
  ['$1::float8[]', [1, -0.5, 1e21, null], [1, -0.5, 1e21, null]],
  ['$1::float8[]', [NaN, Infinity, -0, 5e-324], [NaN, Infinity, -0, 5e-324]],
  ['$1::float8[]', ['1.5', 2], [1.5, 2]],
  ['$1::int4[]', [2147483647, -2147483648, null], [2147483647, -2147483648, null]],
  ['$1::int4[]', [' 7'], [7]],
  [
    '$1::int8[]',
    [9007199254740991, -9007199254740991, null, 0],
    [2 ** 53 - 1, 1 - 2 ** 53, null, 0],
  ],
  ['$1::bool[]', [true, false, null], [true, false, null]],
  ['$1::bool[]', ['yes'], [true]],
  ['$1::text[]', [1.5, true, 'ünï 😀', '\u{10ffff}'], ['1.5', 'true', 'ünï 😀', '\u{10ffff}']],
  ['$1::text[]', ['\n\t\u0001', 'x'.repeat(70_000)], ['\n\t\u0001', 'x'.repeat(70_000)]],
  ['$1::text[]', ['half \ud83d of one'], ['half \ufffd of one']],
  ['$1::date[]', ['2026-03-08', null], ['2026-03-08', null]],
  ['$1::numeric[]', [1.5, '1.50'], ['1.5', '1.50']],
  ['array[cardinality($1::text[]), cardinality($1::int4[])]', ['1', '2'], [2, 2]],
  ["$1 || array['c']", ['a', 'b'], ['a', 'b', 'c']],
  ...['text', 'int4', 'int8', 'float8', 'bool'].map((type): [string, SqlValue, unknown] => [
    `$1::${type}[]`,
    [],
    [],
  ]),
  [
    'array[[$1::int4, 2], [3, 4]]',
    1,
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ['array[to_timestamp($1 / 1000.0)]', -86400001, [-86400001]],
  ['array[$1::date]', '1900-01-01', ['1900-01-01']],
  ['array[$1::numeric]', '1.10', ['1.10']],
  ['$1::bytea', new Uint8Array([]), new Uint8Array([])],
  ['$1::bytea', new Uint8Array([0, 1, 92, 120, 255]), new Uint8Array([0, 1, 92, 120, 255])],
  ['$1::bytea', new Uint8Array(100_000).fill(7), new Uint8Array(100_000).fill(7)],
  ["$1 = any('{1,2}'::int4[])", 2, true],
];

function valuesIn(db: () => Db): void {
  for (const zone of ['UTC', 'America/New_York', 'America/Havana', 'Pacific/Apia']) {
    test(`reads values independently of the process's time zone, ${zone}`, async () => {
      const previousZone = process.env['TZ'];
      process.env['TZ'] = zone;
      try {
        for (const [expression, parameter, expected] of ROUND_TRIPS) {
          const rows = await db().query(`select ${expression} as value`, [parameter]);
          expect(rows, `${expression} of ${String(parameter)}`).toEqual([{ value: expected }]);
        }
      } finally {
        if (previousZone === undefined) delete process.env['TZ'];
        else process.env['TZ'] = previousZone;
      }
    });
  }

  test('throws when reading an integer beyond 2^53, and leaves the store usable', async () => {
    const unsafe = db().query("select '9007199254740992'::int8 as value");
    await expect(unsafe).rejects.toThrow('past 2^53');
    await expect(db().query('select 1 as value')).resolves.toEqual([{ value: 1 }]);
  });

  test('stores only the bytes covered by a view of part of a buffer', async () => {
    const view = new Uint8Array([9, 1, 2, 9]).subarray(1, 3);
    const rows = await db().query('select $1::bytea as value', [view]);
    expect(rows).toEqual([{ value: new Uint8Array([1, 2]) }]);
    expect(view).toEqual(new Uint8Array([1, 2]));
  });

  test.each([
    ['$1::text[]', ['a\0b'], '22021'],
    ['$1::int4[]', [1.5], '22P02'],
    ['$1::int4[]', [2 ** 31], '22003'],
    ['$1::int8[]', [2 ** 63], '22003'],
    ['$1::float8[]', ['north'], '22P02'],
  ])('rejects %s for the parameter %j with SQLSTATE %s', async (expression, parameter, state) => {
    const refused = db().query(`select ${expression} as value`, [parameter]);
    await expect(refused.then(() => 'taken', sqlState)).resolves.toBe(state);
  });

  test('returns an empty list for a query without rows, and keeps the order of many rows', async () => {
    await expect(db().query('select 1 where false')).resolves.toEqual([]);
    const rows = await db().query<{ n: number }>('select n from generate_series(1, 20000) n');
    expect(rows.map((row) => row.n)).toEqual(Array.from({ length: 20000 }, (_, i) => i + 1));
  });
}

function transactionsIn(db: () => Db): void {
  test('commits a transaction when its work resolves', async () => {
    const result = await db().transaction(async (tx) => {
      await tx.query('insert into sample values (1, $1)', ['kept']);
      return tx.query('select note from sample where id = 1');
    });
    expect(result).toEqual([{ note: 'kept' }]);
    await expect(noteOf(db(), 1)).resolves.toEqual(['kept']);
  });

  test('rolls back a transaction whose work throws, and rethrows the same error', async () => {
    const wrong = new Error('thrown by the test');
    const work = db().transaction(async (tx) => {
      await tx.query('insert into sample values (2, $1)', ['lost']);
      throw wrong;
    });
    await expect(work).rejects.toBe(wrong);
    await expect(noteOf(db(), 2)).resolves.toEqual([]);
  });

  test('rejects a transaction that ignores a failed statement, and commits nothing', async () => {
    const work = db().transaction(async (tx) => {
      await tx.query('insert into sample values (3, $1)', ['lost']);
      await tx.query('select 1 / 0').catch(() => undefined);
    });
    await expect(work).rejects.toBeInstanceOf(TransactionAbortedError);
    await expect(noteOf(db(), 3)).resolves.toEqual([]);
  });

  test('rejects queries on the handle of a transaction that has ended', async () => {
    const handle = await db().transaction(async (tx) => ({ tx }));
    await expect(handle.tx.query('select 1')).rejects.toThrow('has ended');
  });

  test('rejects calls to the store inside its own transaction instead of deadlocking', async () => {
    const work = db().transaction(() => db().query('select 1'));
    await expect(work).rejects.toThrow('use the handle');
  });
}

function concurrencyIn(db: () => Db): void {
  test('runs a hundred queries during a transaction without failures or dirty reads', async () => {
    const counts: number[] = [];
    const queries: Promise<void>[] = [];
    await db().transaction(async (tx) => {
      await tx.query('insert into sample select n, null from generate_series(1000, 1099) n');
      await tx.query('delete from sample where id >= 1000');
    });
    const work = db().transaction(async (tx) => {
      await tx.query('insert into sample values (4, $1)', ['both or none']);
      await tx.query('insert into sample values (5, $1)', ['both or none']);
    });
    for (let n = 0; n < 100; n += 1) {
      queries.push(
        // Returns how many of the two rows are visible outside the transaction, which must be none
        // or both.
        db()
          .query<{ n: number }>('select count(*) as n from sample where id in (4, 5)')
          .then((rows) => void counts.push(rows[0]?.n ?? -1)),
      );
    }
    await Promise.all([work, ...queries]);
    expect(counts).toHaveLength(100);
    expect(counts.filter((n) => n !== 0 && n !== 2)).toEqual([]);
  });

  test('completes many concurrent transactions', async () => {
    await db().execute('create table counter (n integer not null); insert into counter values (0)');
    const add = (): Promise<unknown> =>
      db().transaction((tx) => tx.query('update counter set n = n + 1'));
    await Promise.all(Array.from({ length: 50 }, add));
    await expect(db().query('select n from counter')).resolves.toEqual([{ n: 50 }]);
  });

  test('supports skip locked when claiming rows', async () => {
    const rows = await db().transaction((tx) =>
      tx.query('select n from counter where n > 0 limit 1 for update skip locked'),
    );
    expect(rows).toEqual([{ n: 50 }]);
  });
}

function preparedStatementsIn(db: () => Db, canPrepare: boolean): void {
  test('returns current rows and columns from prepared statements', async () => {
    const insert = 'insert into grown select n from unnest($1::int4[]) as t(n) returning n';
    const find = 'select g.n from unnest($1::int4[]) as t(n) join grown g on g.n = t.n';
    await db().execute('create table grown (n integer primary key)');
    for (const count of [1, 20, 3_000, 0]) {
      const numbers = Array.from({ length: count }, (_, i) => count * 10 + i);
      const rows = await db().transaction(
        async (tx) => {
          await tx.query(insert, [numbers]);
          return tx.query(find, [numbers]);
        },
        { keepsPlans: true },
      );
      expect(rows).toHaveLength(count);
    }
    await db().execute("alter table grown add column note text default 'later'");
    const twice = db().transaction((tx) => tx.query(insert, [[10]]), { keepsPlans: true });
    await expect(twice).rejects.toMatchObject({ sqlState: '23505' });
    const rows = await db().transaction((tx) => tx.query(find, [[10]]), { keepsPlans: true });
    expect(rows).toEqual([{ n: 10 }]);
  });

  test('prepares statements only in a transaction with keepsPlans', async () => {
    const prepared = 'select count(*) as n from pg_prepared_statements where statement = $1';
    const statement = 'select note from sample where id = $1 -- prepared';
    const countPrepared = async (tx: Transaction): Promise<unknown> => {
      await tx.query(statement, [1]);
      return (await tx.query(prepared, [statement]))[0]?.['n'];
    };
    await expect(db().transaction(countPrepared)).resolves.toBe(0);
    await expect(db().transaction(countPrepared, { keepsPlans: true })).resolves.toBe(
      canPrepare ? 1 : 0,
    );
  });
}

function copyingIn(db: () => Db): void {
  test('copies rows with any characters in their text', async () => {
    const notes = ['', 'plain', 'tab\there', 'two\nlines\r', '\\N', '\\.', 'ünï 😀', null];
    const lines = notes.map((note, index) => copyLine([100 + index, note])).join('');
    await db().transaction((tx) => tx.copy('sample (id, note)', lines));
    for (const [index, note] of notes.entries()) {
      await expect(noteOf(db(), 100 + index)).resolves.toEqual([note]);
    }
  });

  test('rolls back a copy with rejected rows, and leaves the store usable', async () => {
    await db().query('insert into sample values (200, null)');
    const lines = copyLine([201, 'lost']) + copyLine([200, 'twice']);
    const error = await failure(db().transaction((tx) => tx.copy('sample (id, note)', lines)));
    expect(sqlState(error)).toBe('23505');
    await expect(noteOf(db(), 201)).resolves.toEqual([]);
    const wrong = db().transaction((tx) => tx.copy('sample (id, note)', 'x\ty\n'));
    expect(sqlState(await failure(wrong))).toBe('22P02');
    const nowhere = db().transaction((tx) => tx.copy('nowhere (id)', '1\n'));
    expect(sqlState(await failure(nowhere))).toBe('42P01');
    await expect(noteOf(db(), 200)).resolves.toEqual([null]);
  });
}

function failuresIn(db: () => Db): void {
  test('reports the SQLSTATE and the constraint when a statement is rejected', async () => {
    await db().query('insert into sample values (10, null)');
    const error = await failure(db().query('insert into sample values (10, null)'));
    expect(sqlState(error)).toBe('23505');
    expect(error).toMatchObject({ table: 'sample', constraint: 'sample_pkey' });
    expect(sqlState(await failure(db().query('selec 1')))).toBe('42601');
    expect(sqlState(await failure(db().query('select $1::int4', ['x'])))).toBe('22P02');
    expect(sqlState(await failure(db().query('select $1::text', ['a\0b'])))).toBe('22021');
    expect(sqlState(new Error('unrelated'))).toBeUndefined();
    await expect(db().query('select 1 as value')).resolves.toEqual([{ value: 1 }]);
  });

  test('rejects two statements in one query', async () => {
    expect(sqlState(await failure(db().query('select 1; select 2')))).toBe('42601');
  });

  test('rolls back a script if one of its statements fails', async () => {
    const script = db().execute('insert into sample values (20, null); select 1 / 0;');
    expect(sqlState(await failure(script))).toBe('22012');
    await expect(noteOf(db(), 20)).resolves.toEqual([]);
  });
}

function closingOf(open: OpenForTest): void {
  test('completes calls in flight when the store is closed, and rejects later calls', async () => {
    const db = await open();
    const running = db.query('select 1 as value');
    const work = db.transaction((tx) => tx.query('select 2 as value'));
    const closed = db.close();
    await expect(running).resolves.toEqual([{ value: 1 }]);
    await expect(work).resolves.toEqual([{ value: 2 }]);
    await closed;
    await expect(db.query('select 1')).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(db.close()).resolves.toBeUndefined();
  });
}

async function noteOf(db: Db, id: number): Promise<(string | null)[]> {
  const rows = await db.query<{ note: string | null }>('select note from sample where id = $1', [
    id,
  ]);
  return rows.map((row) => row.note);
}

async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}
