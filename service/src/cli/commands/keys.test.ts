import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../../../test/support/run-command.ts';
import { emptyStore, memoryStore } from '../../../test/support/stores.ts';
import { listAuditEvents } from '../../accounts/audit-log.ts';
import { fixedApiKeyCache } from '../../accounts/keys/api-key-cache.ts';
import { listKeys } from '../../accounts/keys/key-store.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { seededRandom } from '../../platform/random.ts';
import type { Db } from '../../storage/db.ts';
import { claimMarker } from '../../storage/marker.ts';
import { keysCommand } from './keys.ts';

const NOW = Date.UTC(2026, 10, 20, 15);

let db: Db;
let random = seededRandom(3);
beforeAll(async () => {
  db = await memoryStore();
});
beforeEach(async () => {
  await emptyStore(db);
  random = seededRandom(3);
});
afterAll(() => db.close());

test('keys create prints only the key, and the key authenticates', async () => {
  const { out } = await run('create', '--plan', 'pro', '--customer', 'Made Up Research');
  expect(out).toMatch(/^eds_live_[0-9A-Za-z]{38}\n$/);
  const key = fixedApiKeyCache(await allKeys()).find(out.trim());
  expect(key).toMatchObject({ plan: { name: 'pro' }, customerName: 'Made Up Research' });
});

test('keys create creates test keys in a sandbox', async () => {
  await claimMarker(db, 'kind', 'sandbox');
  expect((await run('create')).out).toMatch(/^eds_test_/);
});

test('keys create reuses a customer by name, and creates a new customer if no name is given', async () => {
  for (const args of [['--customer', 'A'], ['--customer', 'A'], [], []])
    await run('create', ...args);
  const keys = await allKeys();
  expect(new Set(keys.map((key) => key.customerId)).size).toBe(3);
  expect(keys.filter((key) => key.customerName === 'A')).toHaveLength(2);
});

test('keys create never changes the plan of an existing customer', async () => {
  await run('create', '--customer', 'A', '--plan', 'free');
  const { error, out } = await run('create', '--customer', 'A', '--plan', 'pro');
  expect([error?.message, out]).toEqual([expect.stringContaining('is on plan free'), '']);
  expect(await allKeys()).toHaveLength(1);
});

test('keys create rejects an unknown plan', async () => {
  expect((await run('create', '--plan', 'gold')).error?.message).toContain(
    'no plan with this name',
  );
});

test('keys list never shows a whole key, neither in a table nor in JSON', async () => {
  const key = (await run('create', '--customer', 'A')).out.trim();
  const table = (await run('list')).out;
  const rows = JSON.parse((await run('list', '--json')).out) as object[];
  expect(rows).toEqual([
    {
      id: expect.stringMatching(/^key_[0-9a-f]{20}$/) as string,
      customer: 'A',
      plan: 'free',
      name: '',
      prefix: key.slice(0, 13),
      last4: key.slice(-4),
      state: 'active',
      scopes: ['read'],
      allowedCidrs: null,
      createdAt: '2026-11-20T15:00:00Z',
      createdBy: { kind: 'cli', id: null, label: 'command line' },
      expiresAt: null,
      lastUsedAt: null,
    },
  ]);
  expect(table).toContain(`${key.slice(0, 13)}…${key.slice(-4)}  free  active`);
  expect(table + JSON.stringify(rows)).not.toContain(key);
});

test.each(['id', 'prefix'] as const)(
  'keys revoke by %s revokes only the given key',
  async (field) => {
    const first = (await run('create')).out.trim();
    const second = (await run('create')).out.trim();
    const [record] = await allKeys();
    const other = (await allKeys()).find((key) => key.prefix === first.slice(0, 13)) ?? record;
    const { error } = await run('revoke', other?.[field] ?? '');
    expect(error).toBeNull();
    const cache = fixedApiKeyCache(await allKeys());
    expect([cache.find(first), cache.find(second)?.plan.name]).toEqual([null, 'free']);
    expect((await run('revoke', other?.id ?? '')).err).toContain('is already revoked');
  },
);

test('keys revoke rejects an unknown key', async () => {
  expect((await run('revoke', 'key_none')).error?.message).toContain('no API key has the ID');
});

test('keys create sets the name, scopes, allowed addresses and expiry', async () => {
  const options = [
    '--name',
    'Nightly',
    '--scopes',
    'manage,read',
    '--allow',
    '10.0.0.0/8,2001:DB8::1',
  ];
  const { error } = await run('create', ...options, '--expires', '30d');
  expect(error).toBeNull();
  expect(await allKeys()).toMatchObject([
    {
      name: 'Nightly',
      scopes: ['read', 'manage'],
      allowedCidrs: ['10.0.0.0/8', '2001:db8::1/128'],
      expiresAt: NOW + 30 * 86_400_000,
    },
  ]);
});

test.each([
  ['--scopes', 'admin', 'read, manage or both'],
  ['--allow', '10.1.2.3/8', '10.1.2.3/8 is not a CIDR block'],
  ['--expires', 'soon', 'soon is not a time'],
  ['--expires', '2020-01-01T00:00:00Z', 'in the future'],
])('keys create rejects %s %s with a fix and creates no customer', async (flag, value, message) => {
  const { error } = await run('create', flag, value);
  expect(error?.message).toContain(message);
  expect(await db.query('select id from customer')).toEqual([]);
});

test('keys roll prints only the new key and reports when the old one expires', async () => {
  const old = (await run('create', '--customer', 'A')).out.trim();
  const [record] = await allKeys();
  const { out, err } = await run('roll', record?.id ?? '', '--grace', '1h');
  expect(out).toMatch(/^eds_live_[0-9A-Za-z]{38}\n$/);
  expect(err).toContain(`${record?.id} expires at 2026-11-20T16:00:00Z`);
  const cache = fixedApiKeyCache(await allKeys());
  expect(cache.find(out.trim())?.expiresAt).toBeNull();
  expect(cache.find(old)?.expiresAt).toBe(NOW + 3_600_000);
  expect((await run('roll', record?.id ?? '')).error?.message).toContain('already rolled');
});

test('enables a disabled key and no longer lists a deleted key', async () => {
  await run('create');
  const id = (await allKeys())[0]?.id ?? '';
  await run('disable', id);
  expect((await run('list')).out).toContain('disabled');
  await run('enable', id);
  expect((await run('list')).out).toContain('active');
  await run('delete', id);
  expect(JSON.parse((await run('list', '--json')).out)).toEqual([]);
});

test('records key changes in the audit log', async () => {
  await run('create', '--customer', 'A');
  await run('revoke', (await allKeys())[0]?.id ?? '');
  const events = (await listAuditEvents(db, { customerId: null, limit: 10 })).toReversed();
  expect(events.map(({ action, actor }) => [action, actor.kind])).toEqual([
    ['customer.create', 'cli'],
    ['key.create', 'cli'],
    ['key.revoke', 'cli'],
  ]);
});

function allKeys() {
  return listKeys(db, { customerId: null, limit: 100 });
}

function run(...args: string[]) {
  return runCommand(keysCommand(random), { db, clock: fakeClock(NOW) }, args);
}
