import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { emptyStore } from '../../../test/support/stores.ts';
import type { Db } from '../../storage/db.ts';
import { loadHistories } from './load.ts';
import { recordRows } from './record-rows.ts';
import { filerOf, filerKey, keysWithRecords } from './entity-keys.ts';

interface Fields {
  eps: string;
}

onEachEngine((db) => {
  test('reports the first value as new, a different value as changed, and a repeated value as the same', async () => {
    expect(await say(db(), 10, '1.0')).toEqual(['new', true]);
    expect(await say(db(), 20, '1.1')).toEqual(['changed', true]);
    expect(await say(db(), 30, '1.1')).toEqual(['same', false]);
    expect(await say(db(), 40, '1.0')).toEqual(['changed', true]);
    expect(await history(db())).toEqual(['10 1.0', '20 1.1', '30 1.1', '40 1.0']);
  });

  test('adds no observation for a response ingested twice', async () => {
    await say(db(), 10, '1.0');
    expect(await say(db(), 10, '1.0')).toEqual(['same', false]);
    expect(await history(db())).toEqual(['10 1.0']);
  });

  test('reports a different value in a late response between two others as a relevant change', async () => {
    await say(db(), 10, '1.0');
    await say(db(), 30, '1.0');
    expect(await say(db(), 20, '1.1')).toEqual(['changed', true]);
    expect(await history(db())).toEqual(['10 1.0', '20 1.1', '30 1.0']);
  });

  test('reports a repeated value in a late response as unchanged, and as relevant if a different value follows', async () => {
    await say(db(), 10, '1.0');
    await say(db(), 30, '1.1');
    expect(await say(db(), 20, '1.0')).toEqual(['same', true]);
  });

  test('for a response older than all others, reports the value as a change that matters, even if the next value is equal', async () => {
    await say(db(), 20, '1.0');
    expect(await say(db(), 10, '1.0')).toEqual(['changed', true]);
  });

  test('orders two values with the same observation time by content, regardless of arrival order', async () => {
    await say(db(), 10, '1.0');
    await say(db(), 10, '1.1');
    const once = await history(db());
    await emptyStore(db());
    await say(db(), 10, '1.1');
    await say(db(), 10, '1.0');
    expect(await history(db())).toEqual(once);
    const inForce = once.at(-1)?.slice(3) ?? '';
    expect(await say(db(), 20, inForce)).toEqual(['same', false]);
  });

  test('treats values as the same regardless of the order of their object keys', async () => {
    await record(db(), 10, [{ eps: '1.0', basis: 'gaap' }]);
    const [again] = await record(db(), 20, [{ basis: 'gaap', eps: '1.0' }]);
    expect(again?.outcome).toBe('same');
  });

  test('keeps separate histories for each data set, entity key, provider, feed and natural key', async () => {
    await db().transaction(async (tx) => {
      const row = { dataset: 'd', entityKey: 's', provider: 'p', feed: 'f', naturalKey: 'k' };
      const rows = [row, ...Object.keys(row).map((part) => ({ ...row, [part]: 'x' }))];
      const recorded = await recordRows(
        tx,
        rows.map((key) => ({ ...key, fields: {} })),
        10,
        1,
      );
      expect(recorded.map(({ outcome }) => outcome)).toEqual(Array(6).fill('new'));
      expect(new Set(recorded.map(({ recordId }) => recordId)).size).toBe(6);
    });
    expect(await loadHistories(db(), 'd', ['s', 'x'])).toHaveLength(5);
    expect(await loadHistories(db(), 'd', [])).toEqual([]);
  });

  test('returns only the entity keys that have records in the data set', async () => {
    await say(db(), 10, '1.0');
    expect(await keysWithRecords(db(), 'earnings', ['NRTH', 'NONE'])).toEqual(['NRTH']);
    expect(await keysWithRecords(db(), 'profiles', ['NRTH'])).toEqual([]);
  });
});

test("distinguishes a filer's entity key from a symbol", () => {
  expect(filerOf(filerKey('0009990001'))).toBe('0009990001');
  expect(filerOf('CIK')).toBeNull();
});

async function say(db: Db, at: number, eps: string): Promise<unknown> {
  const [recorded] = await record(db, at, [{ eps }]);
  return [recorded?.outcome, recorded?.mattersToOrder];
}

function record(db: Db, at: number, values: readonly object[]) {
  const key = { dataset: 'earnings', entityKey: 'NRTH', provider: 'p', feed: 'f', naturalKey: 'k' };
  return db.transaction((tx) =>
    recordRows(
      tx,
      values.map((fields) => ({ ...key, fields })),
      at,
      1,
    ),
  );
}

/** Returns all observations in the only history, as `at value`. */
async function history(db: Db): Promise<string[]> {
  const [stored] = await loadHistories<Fields>(db, 'earnings', ['NRTH']);
  return (stored?.observations ?? []).map(({ at, fields }) => `${at} ${fields.eps}`);
}
