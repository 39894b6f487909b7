import { Command } from 'commander';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { memoryStore } from '../../test/support/stores.ts';
import { keyRingOf } from '../accounts/keys/key-ring.ts';
import { loadKeys } from '../accounts/keys/key-store.ts';
import { fakeClock } from '../platform/fake-clock.ts';
import { seededRandom } from '../platform/random.ts';
import type { Db } from '../storage/db.ts';
import { claimMarker } from '../storage/marker.ts';
import type { CliContext } from './command.ts';
import { keysCommand } from './keys.ts';

const NOW = Date.UTC(2026, 10, 20, 15);

let db: Db;
let random = seededRandom(3);
beforeAll(async () => {
  db = await memoryStore();
});
beforeEach(async () => {
  await db.execute('delete from api_key; delete from customer; delete from store_marker;');
  random = seededRandom(3);
});
afterAll(() => db.close());

test('create prints the key alone, and the key opens the door', async () => {
  const { out } = await run('create', '--plan', 'pro', '--customer', 'Made Up Research');
  expect(out).toMatch(/^eds_live_[0-9A-Za-z]{38}\n$/);
  const found = keyRingOf(await loadKeys(db)).find(out.trim());
  expect(found).toMatchObject({ plan: 'pro', customerName: 'Made Up Research' });
});

test('a key of the sandbox says so', async () => {
  await claimMarker(db, 'kind', 'sandbox');
  expect((await run('create')).out).toMatch(/^eds_test_/);
});

test('two keys of one name are one customer; two without a name are two', async () => {
  for (const args of [['--customer', 'A'], ['--customer', 'A'], [], []])
    await run('create', ...args);
  const keys = await loadKeys(db);
  expect(new Set(keys.map((key) => key.customerId)).size).toBe(3);
  expect(keys.filter((key) => key.customerName === 'A')).toHaveLength(2);
});

test('a customer on another plan is not moved to this one', async () => {
  await run('create', '--customer', 'A', '--plan', 'free');
  const { error, out } = await run('create', '--customer', 'A', '--plan', 'pro');
  expect([error?.message, out]).toEqual([expect.stringContaining('is on plan free'), '']);
  expect(await loadKeys(db)).toHaveLength(1);
});

test('a plan that does not exist is refused', async () => {
  expect((await run('create', '--plan', 'gold')).error?.message).toContain('free, pro');
});

test('list shows keys by their ends only, as a table and as JSON', async () => {
  const key = (await run('create', '--customer', 'A')).out.trim();
  const table = (await run('list')).out;
  const rows = JSON.parse((await run('list', '--json')).out) as object[];
  expect(rows).toEqual([
    {
      id: expect.stringMatching(/^key_[0-9a-f]{20}$/) as string,
      customer: 'A',
      plan: 'free',
      prefix: key.slice(0, 13),
      last4: key.slice(-4),
      state: 'active',
      createdAt: '2026-11-20T15:00:00Z',
      expiresAt: null,
    },
  ]);
  expect(table).toContain(`${key.slice(0, 13)}…${key.slice(-4)}  free  active`);
  expect(table + JSON.stringify(rows)).not.toContain(key);
});

test.each(['id', 'prefix'] as const)('revoke by %s ends the key, and only that one', async (by) => {
  const first = (await run('create')).out.trim();
  const second = (await run('create')).out.trim();
  const [record] = await loadKeys(db);
  const other = (await loadKeys(db)).find((key) => key.prefix === first.slice(0, 13)) ?? record;
  const { error } = await run('revoke', other?.[by] ?? '');
  expect(error).toBeNull();
  const ring = keyRingOf(await loadKeys(db));
  expect([ring.find(first), ring.find(second)?.plan]).toEqual([null, 'free']);
  expect((await run('revoke', other?.id ?? '')).err).toContain('was revoked before');
});

test('revoking what does not exist fails', async () => {
  expect((await run('revoke', 'key_none')).error?.message).toContain('no key has the id');
});

async function run(...args: string[]) {
  let out = '';
  let err = '';
  const program = new Command().exitOverride();
  const context = {
    stdout: (text: string) => (out += text),
    stderr: (text: string) => (err += text),
    clock: fakeClock(NOW),
    openStore: async () => ({ db, close: async () => undefined }),
  } as unknown as CliContext;
  keysCommand(random).add(program, context);
  for (const child of program.commands.flatMap((keys) => [keys, ...keys.commands])) {
    child.exitOverride().configureOutput({ writeErr: (text) => (err += text) });
  }
  try {
    await program.parseAsync(['keys', ...args], { from: 'user' });
    return { out, err, error: null };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { out, err, error };
  }
}
