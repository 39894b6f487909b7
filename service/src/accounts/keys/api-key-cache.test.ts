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
import { addPlan, changePlan } from '../plans/plans.ts';
import { deleteKey, disableKey, revokeKey } from './change-key.ts';
import { hashKey, generateKey } from './key-format.ts';
import { fixedApiKeyCache, loadKeyVersion, startApiKeyCache } from './api-key-cache.ts';

const NOW = Date.UTC(2026, 10, 20, 15);
const random = seededRandom(11);

describe('a ring of a store', () => {
  onEachEngine((db) => {
    let clock: FakeClock;
    const log = memoryLog();
    beforeEach(() => {
      clock = fakeClock(NOW);
    });
    const deps = () => ({ db: db(), clock, random });
    const start = (queryable: Queryable = db()) => startApiKeyCache({ db: queryable, clock, log });

    test('a stored key is found by its text, with its customer, plan, terms and times', async () => {
      const customerId = await addCustomer(deps(), 'A', 'pro');
      const expiresAt = NOW + 60_000;
      const terms = { name: 'N', scopes: ['manage'], allowedCidrs: ['10.0.0.0/8'], expiresAt };
      const { key, id } = await addKey(deps(), customerId, terms);
      const ring = await start();
      ring.stop();
      expect(ring.find(key)).toMatchObject({
        id,
        customerId,
        customerName: 'A',
        ...terms,
        createdAt: NOW,
        plan: {
          name: 'pro',
          perMinute: 300,
          perDay: null,
          perMonth: null,
          historyMonths: null,
        },
        disabledAt: null,
        revokedAt: null,
        suspendedAt: null,
      });
    });

    test('neither the key nor more than eight of its characters are in the store', async () => {
      const { key } = await addKey(deps(), await addCustomer(deps(), 'A'));
      // Every column that could contain the key, as text.
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

    test('each kind of change in this process is seen at once after a refresh', async () => {
      const customerId = await addCustomer(deps(), 'A');
      const ring = await start();
      ring.stop();
      const { key, id } = await addKey(deps(), customerId);
      expect(ring.find(key)).toBeNull();
      const now = async () => {
        await ring.refresh();
        return ring.find(key);
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

    test('a change of a plan reaches every key on it', async () => {
      const plan = { name: 'team', perMinute: 100, perDay: 9, perMonth: 99, historyMonths: 12 };
      await addPlan(deps(), plan, TESTER);
      const customerId = await addCustomer(deps(), 'A', 'team');
      const keys = [await addKey(deps(), customerId), await addKey(deps(), customerId)];
      const ring = await start();
      ring.stop();
      expect(ring.find(keys[0]?.key ?? '')?.plan).toEqual(plan);
      await changePlan(deps(), { name: 'team', perDay: null }, TESTER);
      await ring.refresh();
      for (const { key } of keys) expect(ring.find(key)?.plan).toEqual({ ...plan, perDay: null });
    });

    test.each(['revokeKey', 'deleteKey', 'deleteCustomer', 'rows removed'] as const)(
      'a change of another process is seen within five seconds: %s',
      async (how) => {
        const customerId = await addCustomer(deps(), 'A');
        const ring = await start();
        const { key, id } = await addKey(deps(), customerId);
        await clock.advance(5_000);
        await expect.poll(() => ring.find(key)).not.toBeNull();
        if (how === 'revokeKey') await revokeKey(deps(), { customerId, keyId: id }, TESTER);
        if (how === 'deleteKey') await deleteKey(deps(), { customerId, keyId: id }, TESTER);
        if (how === 'deleteCustomer') await deleteCustomer(deps(), customerId, TESTER);
        if (how === 'rows removed') await db().query('delete from api_key');
        await clock.advance(5_000);
        await expect.poll(() => ring.find(key)).toBeNull();
        ring.stop();
      },
    );

    test('a change costs the rows that changed, however many keys there are', async () => {
      const customerId = await addCustomer(deps(), 'A');
      for (let count = 0; count < 20; count++) await addKey(deps(), customerId);
      const read: number[] = [];
      const counting: Queryable = {
        async query(sql, params) {
          const rows = await db().query(sql, params);
          if (sql.includes('api_key')) read.push(rows.length);
          return rows as never;
        },
      };
      const ring = await start(counting);
      ring.stop();
      await addKey(deps(), customerId);
      await ring.refresh();
      await ring.refresh();
      expect(read).toEqual([20, 1]);
    });

    test('what a slow transaction changes is not lost behind a quicker one', async ({ skip }) => {
      if (db().engine === 'pglite') skip('one connection: there is no second transaction');
      const customerId = await addCustomer(deps(), 'A');
      const slow = await addKey(deps(), customerId);
      const ring = await start();
      ring.stop();
      const held = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const revoking = db().transaction(async (tx) => {
        await tx.query('update api_key set revoked_at = now() where id = $1', [slow.id]);
        begun.resolve();
        await held.promise;
      });
      await begun.promise;
      const adding = addKey(deps(), customerId);
      await ring.refresh();
      held.resolve();
      await revoking;
      const quick = await adding;
      await ring.refresh();
      expect([ring.find(slow.key), ring.find(quick.key)?.id]).toEqual([null, quick.id]);
    });

    test('the version moves with every change of a key, a customer or a plan, and only then', async () => {
      const versions: number[] = [];
      const look = async () => versions.push((await loadKeyVersion(db())).version);
      await look();
      const customerId = await addCustomer(deps(), 'A');
      await look();
      const { id } = await addKey(deps(), customerId);
      await look();
      await revokeKey(deps(), { customerId, keyId: id }, TESTER);
      await look();
      await db().query("update plan set per_minute = 60 where name = 'free'");
      await look();
      expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
      await look();
      expect(versions[5]).toBe(versions[4]);
    });

    test('when the store fails, the last known keys stay in force and it is said once a minute', async () => {
      const { key } = await addKey(deps(), await addCustomer(deps(), 'A'));
      let isAway = false;
      const ring = await start({
        query: (sql, params) =>
          isAway ? Promise.reject(new Error('the store is away')) : db().query(sql, params),
      });
      isAway = true;
      const said = log.entries.length;
      await clock.advance(61_000);
      expect(ring.find(key)).not.toBeNull();
      expect(log.entries.slice(said).map((entry) => entry.level)).toEqual(['warn']);
      isAway = false;
      const changed = await addKey(deps(), await addCustomer(deps(), 'B'));
      await clock.advance(10_000);
      await expect.poll(() => ring.find(changed.key)).not.toBeNull();
      ring.stop();
    });
  });
});

test('a text with a wrong check is never looked up: not even its own hash would help', () => {
  const key = generateKey('test', random);
  const record = keyRecordOf(key);
  const bad = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
  expect(fixedApiKeyCache([{ ...record, hash: hashKey(bad) }]).find(bad)).toBeNull();
  expect(fixedApiKeyCache([record]).find(key)).toBe(record);
});

test('a revoked key is not found', () => {
  const key = generateKey('test', random);
  expect(fixedApiKeyCache([keyRecordOf(key, { revokedAt: 1 })]).find(key)).toBeNull();
});
