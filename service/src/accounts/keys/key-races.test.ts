import { beforeEach, describe, expect, test } from 'vitest';
import {
  accountWorld,
  type AccountWorld,
  addCustomer,
  addKey,
  TESTER,
} from '../../../test/support/account-world.ts';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import type { Actor } from '../audit-log.ts';
import { changeKey, disableKey } from './change-key.ts';
import { createKey, KEYS_MAX } from './create-key.ts';
import { countKeys, findKey, listKeys } from './key-store.ts';
import { rollKey } from './roll-key.ts';

const HOUR_MS = 3_600_000;

describe('concurrent key changes', () => {
  onEachEngine((db) => {
    let world: AccountWorld;
    let customerId: string;
    let now: number;
    beforeEach(async () => {
      world = accountWorld(db());
      now = world.clock.now();
      customerId = await addCustomer(world, 'A');
    });
    const stored = (keyId: string) => findKey(db(), customerId, keyId);
    const keyActor = (id: string): Actor => ({ kind: 'key', id, label: 'k', address: null });

    test('keeps a key disabled when it is renamed concurrently', async () => {
      for (let round = 0; round < 12; round++) {
        const { id: keyId } = await addKey(world, customerId);
        await Promise.all([
          changeKey(world, { customerId, keyId, name: 'first' }, TESTER),
          disableKey(world, { customerId, keyId }, TESTER),
          changeKey(world, { customerId, keyId, name: 'second' }, TESTER),
        ]);
        expect((await stored(keyId))?.disabledAt).toBe(now);
      }
    });

    test('keeps the end of the grace period when a key is rolled and renamed concurrently', async () => {
      for (let round = 0; round < 12; round++) {
        const { id: keyId } = await addKey(world, customerId);
        await Promise.all([
          rollKey(world, { customerId, keyId, grace: '1h' }, TESTER),
          changeKey(world, { customerId, keyId, name: 'first' }, TESTER),
          changeKey(world, { customerId, keyId, name: 'second' }, TESTER),
        ]);
        expect((await stored(keyId))?.expiresAt).toBe(now + HOUR_MS);
      }
    });

    test("changes a key's settings and enabled state together or not at all", async () => {
      const { id: keyId } = await addKey(world, customerId);
      const invalidChange = { customerId, keyId, enabled: false, scopes: [] };
      expect(await changeKey(world, invalidChange, TESTER)).toMatchObject({ kind: 'invalid' });
      expect((await stored(keyId))?.disabledAt).toBeNull();
      await changeKey(world, { customerId, keyId, enabled: false, name: 'N' }, TESTER);
      expect(await stored(keyId)).toMatchObject({ name: 'N', disabledAt: now });
    });

    /** Creates the customer's other keys in one statement. */
    async function fill(count: number, expiresAt: number | null): Promise<void> {
      await db().query(
        `insert into api_key (id, customer_id, hash, prefix, last4, created_at, expires_at)
         select 'key_' || n || coalesce($3::int8, 0), $1,
                decode(lpad(to_hex(n + coalesce($3::int8, 0)), 64, '0'), 'hex'), '', '', now(),
                to_timestamp($3::int8 / 1000.0)
           from generate_series(1, $2) n`,
        [customerId, count, expiresAt],
      );
    }

    test('never exceeds the maximum number of keys through concurrent creation and rolling', async () => {
      const { id: keyId } = await addKey(world, customerId);
      await fill(KEYS_MAX - 3, null);
      await Promise.all([
        rollKey(world, { customerId, keyId, grace: '7d' }, TESTER),
        ...Array.from({ length: 6 }, () => createKey(world, { customerId, kind: 'live' }, TESTER)),
      ]);
      expect(await countKeys(db(), customerId, now)).toBe(KEYS_MAX);
    });

    test('counts both keys toward the limit during a grace period, but only the new key if there is no grace period', async () => {
      const { id: keyId } = await addKey(world, customerId);
      await fill(KEYS_MAX - 1, null);
      const grown = await rollKey(world, { customerId, keyId, grace: '1h' }, TESTER);
      expect(grown).toMatchObject({ kind: 'invalid', parameter: 'customerId' });
      const swapped = await rollKey(world, { customerId, keyId, grace: 'now' }, TESTER);
      expect(swapped.kind).toBe('rolled');
    });

    test('does not count an expired key toward the limit until its expiry is extended', async () => {
      await fill(KEYS_MAX, now + 1);
      await world.clock.advance(1);
      await addKey(world, customerId);
      await fill(KEYS_MAX - 1, null);
      const [expired] = await listKeys(db(), {
        customerId,
        limit: 1,
        ended: {
          is: true,
          now: now + 1,
        },
      });
      expect(expired?.expiresAt).toBe(now + 1);
      const change = { customerId, keyId: expired?.id ?? '', expiresAt: null };
      expect(await changeKey(world, change, TESTER)).toMatchObject({ parameter: 'customerId' });
    });

    test('can list only the keys that are neither revoked nor expired', async () => {
      await fill(3, now);
      const { id } = await addKey(world, customerId);
      const customer = (is: boolean) =>
        listKeys(db(), { customerId, limit: 9, ended: { is, now: now + 1 } });
      expect((await customer(false)).map((key) => key.id)).toEqual([id]);
      expect(await customer(true)).toHaveLength(3);
    });

    test("allows shortening a rolled key's grace period, but not extending or restarting it", async () => {
      const { id: keyId } = await addKey(world, customerId);
      await rollKey(world, { customerId, keyId, grace: '24h' }, TESTER);
      const give = (expiresAt: number | null) =>
        changeKey(world, { customerId, keyId, expiresAt }, TESTER);
      expect(await give(null)).toMatchObject({ kind: 'invalid', parameter: 'expiresAt' });
      expect((await give(now + 25 * HOUR_MS)).kind).toBe('invalid');
      expect((await give(now + HOUR_MS)).kind).toBe('changed');
      await world.clock.advance(2 * HOUR_MS);
      expect((await give(now + 3 * HOUR_MS)).kind).toBe('invalid');
      expect((await stored(keyId))?.expiresAt).toBe(now + HOUR_MS);
    });

    test('does not let a limited management key lift its own limits or exceed them in other keys', async () => {
      const ends = now + HOUR_MS;
      const limits = { allowedCidrs: ['10.0.0.0/8'], expiresAt: ends };
      const { id } = await addKey(world, customerId, { scopes: ['manage'], ...limits });
      const { id: freeId } = await addKey(world, customerId, { scopes: ['read', 'manage'] });
      const actor = keyActor(id);
      for (const settings of [
        { allowedCidrs: null },
        { allowedCidrs: ['10.0.0.0/8', '192.0.2.0/24'] },
        { allowedCidrs: ['0.0.0.0/0'] },
        { allowedCidrs: ['2001:db8::/32'] },
        { expiresAt: null },
        { expiresAt: ends + 1 },
      ]) {
        const change = await changeKey(world, { customerId, keyId: id, ...settings }, actor);
        expect(change).toMatchObject({ kind: 'invalid', parameter: Object.keys(settings)[0] });
        const creation = await createKey(
          world,
          { customerId, kind: 'live', ...limits, ...settings },
          actor,
        );
        expect(creation).toMatchObject({ kind: 'invalid', parameter: Object.keys(settings)[0] });
      }
      expect((await createKey(world, { customerId, kind: 'live' }, actor)).kind).toBe('invalid');
      const stolen = await rollKey(world, { customerId, keyId: freeId, grace: '1h' }, actor);
      expect(stolen.kind).toBe('invalid');
      expect(await stored(id)).toMatchObject(limits);

      const { id: readId } = await addKey(world, customerId, { scopes: ['read'] });
      const { id: offId } = await addKey(world, customerId, { scopes: ['manage'] });
      const { id: shortId } = await addKey(world, customerId, { expiresAt: now + 1 });
      await disableKey(world, { customerId, keyId: offId }, TESTER);
      for (const change of [
        { keyId: readId, scopes: ['read', 'manage'] },
        { keyId: offId, enabled: true },
        { keyId: shortId, expiresAt: ends },
      ]) {
        const lifted = await changeKey(world, { customerId, ...change }, actor);
        expect(lifted).toMatchObject({ kind: 'invalid', parameter: 'allowedCidrs' });
      }
      expect(await stored(readId)).toMatchObject({ scopes: ['read'] });
      expect((await stored(offId))?.disabledAt).toBe(now);
      const remaining = { customerId, keyId: readId, name: 'N', enabled: false };
      expect((await changeKey(world, remaining, actor)).kind).toBe('changed');
      const back = { customerId, keyId: offId, ...limits, enabled: true };
      expect((await changeKey(world, back, actor)).kind).toBe('changed');

      const narrower = { allowedCidrs: ['10.1.0.0/16'], expiresAt: ends - 1 };
      const creation = await createKey(world, { customerId, kind: 'live', ...narrower }, actor);
      expect(creation.kind).toBe('created');
      expect((await rollKey(world, { customerId, keyId: id, grace: '1h' }, actor)).kind).toBe(
        'rolled',
      );
    });
  });
});
