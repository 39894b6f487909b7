import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import type { Db } from '../../storage/db.ts';
import { archiveResponse, compressBody } from '../responses/store.ts';
import { recordRows } from '../source-records/record-rows.ts';
import { quarantineRows, replaceQuarantined } from './store.ts';

const WHY = { reason: 'ambiguous-period', detail: 'as near to one as to another' };

onEachEngine((db) => {
  test.each([
    ['a complete object', { b: 1, a: ['x'] }, { a: ['x'], b: 1 }],
    ['plain text', 'no row', 'no row'],
    ['no value', undefined, null],
    [
      'numbers that JSON does not support',
      { eps: Number.POSITIVE_INFINITY, symbol: 'A' },
      { eps: 'Infinity', symbol: 'A' },
    ],
    ['text that the database cannot store', { name: 'a\0\uD800' }, { name: 'a\uFFFD\uFFFD' }],
    [
      'a key with the name of a built-in property',
      JSON.parse('{"__proto__": 1}'),
      JSON.parse('{"__proto__": 1}'),
    ],
  ])('stores an invalid row: %s', async (_, row, kept) => {
    await quarantine(db(), row);
    const [stored] = await db().query<{ row_json: unknown; reason: string }>(
      'select row_json, reason from quarantined_row',
    );
    expect(JSON.stringify(stored)).toBe(JSON.stringify({ row_json: kept, reason: 'bad-date' }));
  });

  test('truncates an excessively nested row', async () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 50_000; level++) deep = [deep];
    await quarantine(db(), deep);
    const [stored] = await db().query<{ text: string }>(
      'select row_json::text as text from quarantined_row',
    );
    expect(stored?.text).toBe(`${'['.repeat(100)}"nested too deep"${']'.repeat(100)}`);
  });

  test('stores an invalid row only once per response', async () => {
    await quarantine(db(), { a: 1, b: 2 });
    await quarantine(db(), { b: 2, a: 1 });
    expect(await count(db(), 'quarantined_row')).toBe(1);
  });

  test('replaces only the quarantined records of the given owners', async () => {
    const [record = 0] = await recordIdsOf(db());
    await hold(
      db(),
      ['sec_a', 'sec_b'],
      [
        [record, 'sec_a'],
        [record, 'sec_b'],
      ],
    );
    expect(await heldBy(db())).toEqual(['sec_a', 'sec_b']);
    await hold(db(), ['sec_a'], []);
    expect(await heldBy(db())).toEqual(['sec_b']);
    await hold(db(), ['sec_b'], [[record, 'sec_b']]);
    expect(await heldBy(db())).toEqual(['sec_b']);
  });

  test('keeps the quarantined records of other data sets', async () => {
    const [record = 0] = await recordIdsOf(db());
    await hold(db(), ['sec_a'], [[record, 'sec_a']]);
    await db().transaction((tx) => replaceQuarantined(tx, 'profiles', ['sec_a'], []));
    expect(await heldBy(db())).toEqual(['sec_a']);
  });
});

async function quarantine(db: Db, row: unknown): Promise<void> {
  const body = await compressBody('[]');
  await db.transaction(async (tx) => {
    const answer = {
      provider: 'p',
      feed: 'f',
      url: 'https://data.example/x',
      status: 200,
      contentType: 'application/json',
      observedAt: 10,
      text: '[]',
      reason: null,
      outcome: 'ingested' as const,
    };
    const id = await archiveResponse(tx, answer, body, 20);
    const bad = { dataset: 'earnings', entityKey: null, reason: 'bad-date', detail: 'x', row };
    await quarantineRows(tx, [bad], id, 20);
  });
}

async function recordIdsOf(db: Db): Promise<number[]> {
  const row = { dataset: 'earnings', entityKey: 'NRTH', provider: 'p', feed: 'f', naturalKey: 'k' };
  const recorded = await db.transaction((tx) => recordRows(tx, [{ ...row, fields: {} }], 10, 1));
  return recorded.map(({ recordId }) => recordId);
}

function hold(
  db: Db,
  ownerKeys: readonly string[],
  quarantined: readonly (readonly [recordId: number, owner: string])[],
): Promise<void> {
  return db.transaction((tx) =>
    replaceQuarantined(
      tx,
      'earnings',
      ownerKeys,
      quarantined.map(([recordId, ownerKey]) => ({ recordId, ownerKey, reason: WHY })),
    ),
  );
}

async function heldBy(db: Db): Promise<string[]> {
  const rows = await db.query<{ owner: string }>('select owner from held_record order by owner');
  return rows.map(({ owner }) => owner);
}

async function count(db: Db, table: string): Promise<number> {
  const rows = await db.query<{ n: number }>(`select count(*)::int4 as n from ${table}`);
  return rows[0]?.n ?? 0;
}
