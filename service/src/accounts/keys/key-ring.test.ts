import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { memoryStore } from '../../../test/support/stores.ts';
import { fakeClock } from '../../platform/fake-clock.ts';
import type { FakeClock } from '../../platform/fake-clock.ts';
import { memoryLog } from '../../platform/log.ts';
import { seededRandom } from '../../platform/random.ts';
import type { Db } from '../../storage/db.ts';
import { createKey } from './create-key.ts';
import { hashKey } from './key-format.ts';
import { keyRingOf, startKeyRing } from './key-ring.ts';
import { loadKeyRingVersion, loadKeys, revokeKey } from './key-store.ts';

const NOW = Date.UTC(2026, 10, 20, 15);

let db: Db;
let clock: FakeClock;
const random = seededRandom(11);
const log = memoryLog();
beforeAll(async () => {
  db = await memoryStore();
});
beforeEach(async () => {
  await db.execute('delete from api_key; delete from customer;');
  clock = fakeClock(NOW);
});
afterAll(() => db.close());

async function addKey() {
  const created = await createKey({ db, clock, random }, { plan: 'free', kind: 'test' });
  if (created.kind !== 'created') throw new Error('the plan is its own');
  return created;
}

test('a stored key is found by its text, with its customer and times', async () => {
  const expiresAt = NOW + 60_000;
  const options = { plan: 'pro', kind: 'live', customerName: 'A', expiresAt } as const;
  const created = await createKey({ db, clock, random }, options);
  const ring = keyRingOf(await loadKeys(db));
  if (created.kind !== 'created') throw new Error('the customer is new');
  expect(ring.find(created.key)).toMatchObject({
    id: created.id,
    customerId: created.customerId,
    customerName: 'A',
    plan: 'pro',
    createdAt: NOW,
    expiresAt,
    disabledAt: null,
    suspendedAt: null,
  });
});

test('neither the key nor more than eight of its characters are in the store', async () => {
  const { key } = await addKey();
  // Every column of the only table that could hold it, as text.
  const rows = await db.query(
    "select api_key::text || encode(hash, 'escape') as line from api_key",
  );
  expect(rows).toHaveLength(1);
  const secret = key.slice('eds_test_'.length);
  for (let at = 0; at + 9 <= secret.length; at++) {
    expect(JSON.stringify(rows)).not.toContain(secret.slice(at, at + 9));
  }
});

test('a change in this process is seen at once after a refresh', async () => {
  const ring = await startKeyRing({ db, clock, log });
  const { key, id } = await addKey();
  expect(ring.find(key)).toBeNull();
  await ring.refresh();
  expect(ring.find(key)).not.toBeNull();
  await revokeKey(db, id, NOW);
  await ring.refresh();
  expect(ring.find(key)).toBeNull();
  ring.stop();
});

test('a change of another process is seen within five seconds', async () => {
  const ring = await startKeyRing({ db, clock, log });
  const { key } = await addKey();
  await clock.advance(5_000);
  await vi.waitFor(() => expect(ring.find(key)).not.toBeNull());
  ring.stop();
});

test('the version moves with every change of a key or a customer, and only then', async () => {
  const versions = [await loadKeyRingVersion(db)];
  const { id } = await addKey();
  versions.push(await loadKeyRingVersion(db));
  await revokeKey(db, id, NOW);
  versions.push(await loadKeyRingVersion(db));
  await db.query("update customer set plan = 'pro'");
  versions.push(await loadKeyRingVersion(db));
  expect(versions).toEqual(versions.toSorted((a, b) => a - b));
  expect(new Set(versions).size).toBe(4);
  expect(await loadKeyRingVersion(db)).toBe(versions[3]);
});

test('when the store fails, the last known keys stay in force and it is said', async () => {
  const { key } = await addKey();
  let isAway = false;
  const query: typeof db.query = (sql, params) =>
    isAway ? Promise.reject(new Error('the store is away')) : db.query(sql, params);
  const ring = await startKeyRing({ db: { query }, clock, log });
  isAway = true;
  await clock.advance(2_500);
  expect(ring.find(key)).not.toBeNull();
  expect(log.entries.filter((entry) => entry.level === 'warn').length).toBe(2);
  ring.stop();
});

test('a text with a wrong check is never looked up: not even its own hash would help', async () => {
  const { key } = await addKey();
  const [record] = await loadKeys(db);
  if (record === undefined) throw new Error('one key was added');
  const bad = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
  expect(keyRingOf([{ ...record, hash: hashKey(bad) }]).find(bad)).toBeNull();
  expect(keyRingOf([record]).find(key)).toBe(record);
});
