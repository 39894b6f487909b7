import { beforeEach, describe, expect, test } from 'vitest';
import { addCustomer, addKey, TESTER } from '../../../test/support/account-world.ts';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { keyRecordOf } from '../../../test/support/key-record.ts';
import { fakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { memoryLog } from '../../../test/support/logs.ts';
import { seededRandom } from '../../platform/random.ts';
import type { Queryable } from '../../storage/db.ts';
import { deleteCustomer } from '../customers/delete-customer.ts';
import { changeCustomerPlan, renameCustomer, suspendCustomer } from '../customers/customers.ts';
import { addPlan, changePlan, DEFAULT_LIMITS } from '../plans/plans.ts';
import { deleteKey, disableKey, revokeKey } from './change-key.ts';
import { hashKey, generateKey } from './key-format.ts';
import { fixedApiKeyCache, loadKeyVersion, startApiKeyCache } from './api-key-cache.ts';

const NOW = Date.UTC(2026, 10, 20, 15);
const random = seededRandom(11);

describe('stored API key cache', () => {
  onEachEngine((db) => {
    let clock: FakeClock;
    const log = memoryLog();
    beforeEach(() => {
      clock = fakeClock(NOW);
    });
    const deps = () => ({ db: db(), clock, random });
    const start = (queryable: Queryable = db()) => startApiKeyCache({ db: queryable, clock, log });

    test('finds a stored key by its text, with its customer, plan, settings and timestamps', async () => {
      const customerId = await addCustomer(deps(), 'A', 'pro');
      const expiresAt = NOW + 60_000;
      const settings = { name: 'N', scopes: ['manage'], allowedCidrs: ['10.0.0.0/8'], expiresAt };
      const { key, id } = await addKey(deps(), customerId, settings);
      const cache = await start();
      cache.stop();
      expect(cache.find(key)).toMatchObject({
        id,
        customerId,
        customerName: 'A',
        ...settings,
        createdAt: NOW,
        plan: {
          name: 'pro',
          perMinute: 300,
          perDay: null,
          perMonth: null,
          historyMonths: null,
          ...DEFAULT_LIMITS,
        },
        disabledAt: null,
        revokedAt: null,
        suspendedAt: null,
        move: null,
      });
    });

    test('stores at most eight characters of an API key and never the whole key', async () => {
      const { key } = await addKey(deps(), await addCustomer(deps(), 'A'));
      // Returns every row that could contain the key, as text.
      const rows = await db().query(
        `select api_key::text || encode(hash, 'escape') as line from api_key
         union all select audit_event::text from audit_event`,
      );
      expect(rows).toHaveLength(3);
      const secret = key.slice('eds_live_'.length);
      for (let at = 0; at + 9 <= secret.length; at++) {
        expect(JSON.stringify(rows)).not.toContain(secret.slice(at, at + 9));
      }
    });

    test('reflects every kind of key change made in this process after a refresh', async () => {
      const customerId = await addCustomer(deps(), 'A');
      const cache = await start();
      cache.stop();
      const { key, id } = await addKey(deps(), customerId);
      expect(cache.find(key)).toBeNull();
      const now = async () => {
        await cache.refresh();
        return cache.find(key);
      };
      expect(await now()).toMatchObject({ plan: { name: 'free' }, suspendedAt: null });
      await changeCustomerPlan(deps(), { customerId, plan: 'pro' }, TESTER);
      expect(await now()).toMatchObject({ plan: { name: 'pro', perMinute: 300 } });
      await renameCustomer(deps(), { customerId, name: 'B' }, TESTER);
      expect(await now()).toMatchObject({ customerName: 'B' });
      await suspendCustomer(deps(), customerId, TESTER);
      expect(await now()).toMatchObject({ suspendedAt: NOW });
      await disableKey(deps(), { customerId, keyId: id }, TESTER);
      expect(await now()).toMatchObject({ disabledAt: NOW });
      await revokeKey(deps(), { customerId, keyId: id }, TESTER);
      expect(await now()).toBeNull();
    });

    test('applies a plan change to every key on that plan', async () => {
      const limits = { perMinute: 100, perDay: 9, perMonth: 99, historyMonths: 12 };
      const plan = { name: 'team', ...limits, ...DEFAULT_LIMITS };
      await addPlan(deps(), plan, TESTER);
      const customerId = await addCustomer(deps(), 'A', 'team');
      const keys = [await addKey(deps(), customerId), await addKey(deps(), customerId)];
      const cache = await start();
      cache.stop();
      expect(cache.find(keys[0]?.key ?? '')?.plan).toEqual(plan);
      await changePlan(deps(), { name: 'team', perDay: null }, TESTER);
      await cache.refresh();
      for (const { key } of keys) expect(cache.find(key)?.plan).toEqual({ ...plan, perDay: null });
    });

    test.each(['revokeKey', 'deleteKey', 'deleteCustomer', 'rows removed'] as const)(
      'notices a key change made by another process within five seconds: %s',
      async (change) => {
        const customerId = await addCustomer(deps(), 'A');
        const cache = await start();
        const { key, id } = await addKey(deps(), customerId);
        await clock.advance(5_000);
        await expect.poll(() => cache.find(key)).not.toBeNull();
        if (change === 'revokeKey') await revokeKey(deps(), { customerId, keyId: id }, TESTER);
        if (change === 'deleteKey') await deleteKey(deps(), { customerId, keyId: id }, TESTER);
        if (change === 'deleteCustomer') await deleteCustomer(deps(), customerId, TESTER);
        if (change === 'rows removed') await db().query('delete from api_key');
        await clock.advance(5_000);
        await expect.poll(() => cache.find(key)).toBeNull();
        cache.stop();
      },
    );

    test('loads only the keys that changed, however many keys exist', async () => {
      const customerId = await addCustomer(deps(), 'A');
      for (let count = 0; count < 20; count++) await addKey(deps(), customerId);
      const loadedRows: number[] = [];
      const counting: Queryable = {
        async query(sql, params) {
          const rows = await db().query(sql, params);
          if (sql.includes('api_key')) loadedRows.push(rows.length);
          return rows as never;
        },
      };
      const cache = await start(counting);
      cache.stop();
      await addKey(deps(), customerId);
      await cache.refresh();
      await cache.refresh();
      expect(loadedRows).toEqual([20, 1]);
    });

    test('does not miss a key change from a slow transaction that commits after a faster one', async ({
      skip,
    }) => {
      if (db().engine === 'pglite') skip('one connection: there is no second transaction');
      const customerId = await addCustomer(deps(), 'A');
      const slow = await addKey(deps(), customerId);
      const cache = await start();
      cache.stop();
      const gate = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const revoking = db().transaction(async (tx) => {
        await tx.query('update api_key set revoked_at = now() where id = $1', [slow.id]);
        begun.resolve();
        await gate.promise;
      });
      await begun.promise;
      const adding = addKey(deps(), customerId);
      await cache.refresh();
      gate.resolve();
      await revoking;
      const quick = await adding;
      await cache.refresh();
      expect([cache.find(slow.key), cache.find(quick.key)?.id]).toEqual([null, quick.id]);
    });

    test('increases the version number on every change to a key, customer or plan, and at no other time', async () => {
      const versions: number[] = [];
      const lookUps = async () => versions.push((await loadKeyVersion(db())).version);
      await lookUps();
      const customerId = await addCustomer(deps(), 'A');
      await lookUps();
      const { id } = await addKey(deps(), customerId);
      await lookUps();
      await revokeKey(deps(), { customerId, keyId: id }, TESTER);
      await lookUps();
      await db().query("update plan set per_minute = 60 where name = 'free'");
      await lookUps();
      expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
      await lookUps();
      expect(versions[5]).toBe(versions[4]);
    });

    test('keeps the last loaded keys while the store is failing, and logs the failure once a minute', async () => {
      const { key } = await addKey(deps(), await addCustomer(deps(), 'A'));
      let isAway = false;
      const cache = await start({
        query: (sql, params) =>
          isAway ? Promise.reject(new Error('the store is away')) : db().query(sql, params),
      });
      isAway = true;
      const warnings = log.entries.length;
      await clock.advance(61_000);
      expect(cache.find(key)).not.toBeNull();
      expect(log.entries.slice(warnings).map((entry) => entry.level)).toEqual(['warn']);
      isAway = false;
      const changed = await addKey(deps(), await addCustomer(deps(), 'B'));
      await clock.advance(10_000);
      await expect.poll(() => cache.find(changed.key)).not.toBeNull();
      cache.stop();
    });
  });
});

test('never looks up a key with a wrong checksum, even if its hash is known', () => {
  const key = generateKey('test', random);
  const record = keyRecordOf(key);
  const wrongChecksum = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
  expect(
    fixedApiKeyCache([{ ...record, hash: hashKey(wrongChecksum) }]).find(wrongChecksum),
  ).toBeNull();
  expect(fixedApiKeyCache([record]).find(key)).toBe(record);
});

test('does not find a revoked key', () => {
  const key = generateKey('test', random);
  expect(fixedApiKeyCache([keyRecordOf(key, { revokedAt: 1 })]).find(key)).toBeNull();
});
