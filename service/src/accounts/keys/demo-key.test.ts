import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryStore } from '../../../test/support/stores.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { seededRandom } from '../../platform/random.ts';
import type { Db } from '../../storage/db.ts';
import { COMMAND_LINE } from '../audit-log.ts';
import { revokeKey } from './change-key.ts';
import { demoKey } from './demo-key.ts';
import { hashKey } from './key-format.ts';
import { listKeys } from './key-store.ts';

const clock = fakeClock(Date.parse('2026-11-20T15:00:00Z'));
const random = seededRandom(1);
let db: Db;
let scratch: string;

beforeAll(async () => {
  db = await memoryStore();
  scratch = await mkdtemp(join(tmpdir(), 'demo-key-'));
});

afterAll(async () => {
  await db.close();
  await rm(scratch, { recursive: true });
});

test('returns the same demo key at every start, from a file that only its owner can read', async () => {
  const folder = join(scratch, 'not', 'there', 'yet');
  const first = await demoKey({ db, clock, random, folder });
  expect(await demoKey({ db, clock, random, folder })).toBe(first);
  expect((await stat(join(folder, 'demo-key'))).mode & 0o777).toBe(0o600);
});

test('replaces a revoked demo key', async () => {
  const folder = join(scratch, 'revoked');
  const first = await demoKey({ db, clock, random, folder });
  const keys = await listKeys(db, { customerId: null, limit: 10 });
  const stored = keys.find((key) => key.hash === hashKey(first));
  const named = { customerId: stored?.customerId ?? '', keyId: stored?.id ?? '' };
  expect(await revokeKey({ db, clock, random }, named, COMMAND_LINE)).toEqual({ kind: 'changed' });
  expect(await demoKey({ db, clock, random, folder })).not.toBe(first);
});
