import { beforeEach, describe, expect, test } from 'vitest';
import { addCustomer, addKey, TESTER } from '../../../test/support/account-world.ts';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { fakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { seededRandom } from '../../platform/random.ts';
import { listAuditEvents } from '../audit-log.ts';
import type { AccountsDeps } from '../deps.ts';
import { changeKey, deleteKey, disableKey, enableKey, revokeKey } from './change-key.ts';
import { createKey, KEYS_MAX } from './create-key.ts';
import { findKey, listKeys } from './key-store.ts';
import { type Grace, rollKey } from './roll-key.ts';

const NOW = Date.UTC(2026, 10, 20, 15);
const HOUR_MS = 3_600_000;
const FOREVER = NOW + 1_000 * 24 * HOUR_MS;

describe('key actions', () => {
  onEachEngine((db) => {
    let clock: FakeClock;
    let deps: AccountsDeps;
    let customerId: string;
    beforeEach(async () => {
      clock = fakeClock(NOW);
      deps = { db: db(), clock, random: seededRandom(1) };
      customerId = await addCustomer(deps, 'A');
    });
    const stored = (keyId: string) => findKey(db(), customerId, keyId);
    const actions = async () =>
      (await listAuditEvents(db(), { customerId, limit: 50 })).map(({ action }) => action);

    test('creates an API key and validates its settings strictly', async () => {
      const settings = { name: ' N ', scopes: ['manage', 'read', 'read'], allowedCidrs: ['::1'] };
      const { id } = await addKey(deps, customerId, settings);
      expect(await stored(id)).toMatchObject({
        name: 'N',
        scopes: ['read', 'manage'],
        allowedCidrs: ['::1/128'],
        expiresAt: null,
        lastUsedAt: null,
        rolledTo: null,
      });
    });

    test('creates no API key if the settings are invalid', async () => {
      const creation = await createKey(deps, { customerId, kind: 'live', scopes: [] }, TESTER);
      expect(creation).toMatchObject({ kind: 'invalid', parameter: 'scopes' });
      expect(await listKeys(db(), { customerId, limit: 9 })).toEqual([]);
    });

    test('limits the number of keys per customer, not counting revoked keys', async () => {
      // Creates the customer's other keys in one statement.
      await db().query(
        `insert into api_key (id, customer_id, hash, prefix, last4, created_at)
         select 'key_' || n, $1, decode(lpad(to_hex(n), 64, '0'), 'hex'), '', '', now()
           from generate_series(1, $2) n`,
        [customerId, KEYS_MAX],
      );
      const options = { customerId, kind: 'live' } as const;
      expect(await createKey(deps, options, TESTER)).toMatchObject({ kind: 'invalid' });
      await revokeKey(deps, { customerId, keyId: 'key_1' }, TESTER);
      expect(await createKey(deps, options, TESTER)).toMatchObject({ kind: 'created' });
    });

    test.each<[Grace, number]>([
      ['now', 0],
      ['1h', HOUR_MS],
      ['24h', 24 * HOUR_MS],
      ['7d', 7 * 24 * HOUR_MS],
    ])('keeps a rolled key valid for its grace period (%s: %i ms)', async (grace, graceMs) => {
      const settings = { name: 'N', scopes: ['read', 'manage'], allowedCidrs: ['10.0.0.0/8'] };
      const { id: keyId } = await addKey(deps, customerId, settings);
      const rolled = await rollKey(deps, { customerId, keyId, grace }, TESTER);
      if (rolled.kind !== 'rolled') throw new Error(rolled.kind);
      expect(rolled.oldEndsAt).toBe(NOW + graceMs);
      expect(await stored(keyId)).toMatchObject({
        rolledTo: rolled.id,
        expiresAt: NOW + graceMs,
        revokedAt: grace === 'now' ? NOW : null,
      });
      const fresh = { expiresAt: null, revokedAt: null, rolledTo: null, ...settings };
      expect(await stored(rolled.id)).toMatchObject(fresh);
    });

    test('never extends the life of a key when rolling it', async () => {
      const { id: keyId } = await addKey(deps, customerId, { expiresAt: NOW + HOUR_MS });
      const rolled = await rollKey(deps, { customerId, keyId, grace: '7d' }, TESTER);
      expect(rolled).toMatchObject({ kind: 'rolled', oldEndsAt: NOW + HOUR_MS });
      const ends = (await listKeys(db(), { customerId, limit: 9 })).map((key) => key.expiresAt);
      expect(ends).toEqual([NOW + HOUR_MS, NOW + HOUR_MS]);
    });

    test('rolls a key only once, and never a disabled, revoked or expired key', async () => {
      const roll = (keyId: string) => rollKey(deps, { customerId, keyId, grace: '1h' }, TESTER);
      const keys = [];
      for (let count = 0; count < 3; count++) keys.push((await addKey(deps, customerId)).id);
      const [twice = '', disabled = '', revoked = ''] = keys;
      const expiring = await addKey(deps, customerId, { expiresAt: NOW + 1 });
      await disableKey(deps, { customerId, keyId: disabled }, TESTER);
      await revokeKey(deps, { customerId, keyId: revoked }, TESTER);
      const both = await Promise.all([roll(twice), roll(twice)]);
      expect(both.map(({ kind }) => kind).toSorted()).toEqual(['not-active', 'rolled']);
      await clock.advance(1);
      for (const keyId of [twice, disabled, revoked, expiring.id]) {
        expect(await roll(keyId)).toEqual({ kind: 'not-active' });
      }
      expect(await listKeys(db(), { customerId, limit: 50 })).toHaveLength(5);
    });

    test('changes individual key settings and rejects changes to a revoked key', async () => {
      const { id: keyId } = await addKey(deps, customerId, { name: 'N', expiresAt: FOREVER });
      await disableKey(deps, { customerId, keyId }, TESTER);
      await changeKey(deps, { customerId, keyId, allowedCidrs: ['10.0.0.0/8'] }, TESTER);
      const after = {
        name: 'N',
        expiresAt: FOREVER,
        allowedCidrs: ['10.0.0.0/8'],
        disabledAt: NOW,
      };
      expect(await stored(keyId)).toMatchObject(after);
      await changeKey(deps, { customerId, keyId, allowedCidrs: null, expiresAt: null }, TESTER);
      expect(await stored(keyId)).toMatchObject({ allowedCidrs: null, expiresAt: null });
      await revokeKey(deps, { customerId, keyId }, TESTER);
      for (const action of [changeKey, disableKey, enableKey]) {
        expect(await action(deps, { customerId, keyId }, TESTER)).toMatchObject({
          kind: 'invalid',
        });
      }
    });

    test('revokes a deleted key and hides it from lists', async () => {
      const { id: keyId } = await addKey(deps, customerId);
      await deleteKey(deps, { customerId, keyId }, TESTER);
      expect(await stored(keyId)).toBeNull();
      const rows = await db().query<{ revoked_at: number }>('select revoked_at from api_key');
      expect(rows).toEqual([{ revoked_at: NOW }]);
    });

    test("does not find, change or roll a key when given a different customer's id", async () => {
      const otherCustomer = await addCustomer(deps, 'B');
      const { id: keyId } = await addKey(deps, customerId);
      const actionsBefore = await stored(keyId);
      const messages = await actions();
      const foreign = { customerId: otherCustomer, keyId };
      expect(await findKey(db(), otherCustomer, keyId)).toBeNull();
      for (const action of [changeKey, disableKey, enableKey, revokeKey, deleteKey]) {
        expect(await action(deps, foreign, TESTER)).toEqual({ kind: 'not-found' });
      }
      const rolled = await rollKey(deps, { ...foreign, grace: 'now' }, TESTER);
      expect(rolled).toEqual({ kind: 'not-found' });
      expect(await stored(keyId)).toEqual(actionsBefore);
      expect(await actions()).toEqual(messages);
    });

    test('records every key action in the audit log without the key itself', async () => {
      const { key, id: keyId } = await addKey(deps, customerId, { name: 'N' });
      const named = { customerId, keyId };
      await changeKey(deps, { ...named, name: 'M' }, TESTER);
      await disableKey(deps, named, TESTER);
      await enableKey(deps, named, TESTER);
      const rolled = await rollKey(deps, { ...named, grace: '1h' }, TESTER);
      await revokeKey(deps, named, TESTER);
      await revokeKey(deps, named, TESTER);
      await deleteKey(deps, named, TESTER);
      const events = (await listAuditEvents(db(), { customerId, limit: 50 })).toReversed();
      const names = ['create', 'change', 'disable', 'enable', 'roll', 'revoke', 'delete'];
      expect(events.map(({ action }) => action)).toEqual([
        'customer.create',
        ...names.map((name) => `key.${name}`),
      ]);
      expect(events[1]).toMatchObject({ at: NOW, actor: TESTER, subject: keyId, customerId });
      expect(events[1]?.details).toMatchObject({ name: 'N', last4: key.slice(-4) });
      const text = JSON.stringify(events);
      expect(text).not.toContain(key.slice(13, -4));
      if (rolled.kind === 'rolled') expect(text).not.toContain(rolled.key.slice(13, -4));
    });

    test('creates no API key for a key that was revoked while the request ran', async () => {
      const { id, record } = await addKey(deps, customerId, { scopes: ['manage'] });
      await revokeKey(deps, { customerId, keyId: id }, TESTER);
      const actor = { ...TESTER, kind: 'key', id, label: record.prefix } as const;
      const creation = await createKey(deps, { customerId, kind: 'live' }, actor);
      expect(creation).toMatchObject({ kind: 'invalid', parameter: 'key' });
    });

    test('does not perform a key action that it cannot record in the audit log', async () => {
      const { id: keyId } = await addKey(deps, customerId);
      const input = { ...TESTER, kind: 'unknown' } as unknown as typeof TESTER;
      await expect(revokeKey(deps, { customerId, keyId }, input)).rejects.toThrow('audit_event');
      expect((await stored(keyId))?.revokedAt).toBeNull();
    });

    test('lists API keys in pages, newest first', async () => {
      const ids: string[] = [];
      for (let count = 0; count < 5; count++) {
        ids.unshift((await addKey(deps, customerId)).id);
        await clock.advance(count % 2);
      }
      const pages = [];
      for (;;) {
        const after = pages.at(-1);
        const options = { customerId, limit: 2, ...(after === undefined ? {} : { after }) };
        const page = await listKeys(db(), options);
        pages.push(...page);
        if (page.length < 2) break;
      }
      expect(pages.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
      const times = pages.map(({ createdAt }) => createdAt);
      expect(times).toEqual(times.toSorted((a, b) => b - a));
    });
  });
});
