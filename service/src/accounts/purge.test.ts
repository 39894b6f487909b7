import { beforeEach, describe, expect, test } from 'vitest';
import {
  accountWorld,
  type AccountWorld,
  addCustomer,
  addKey,
  TESTER,
} from '../../test/support/account-world.ts';
import { onEachEngine } from '../../test/support/each-engine.ts';
import { verifyAuditChains } from './audit-chain.ts';
import { listAuditEvents } from './audit-log.ts';
import { deleteKey } from './keys/change-key.ts';
import { DELETED_KEY_DAYS, purgeAccounts } from './purge.ts';

const DAY_MS = 86_400_000;
const AUDIT_DAYS = 100;

describe('purges', () => {
  onEachEngine((db) => {
    let world: AccountWorld;
    let customerId: string;
    beforeEach(async () => {
      world = accountWorld(db());
      customerId = await addCustomer(world, 'A');
    });
    const purge = async (auditDays: number | null = AUDIT_DAYS) => {
      let count = 0;
      for (;;) {
        const deleted = await purgeAccounts(world, { auditDays });
        if (deleted === 0) return count;
        count += deleted;
      }
    };
    const actions = async () =>
      (await listAuditEvents(db(), { customerId, limit: 50 })).map(({ action }) => action);

    test('deletes keys 90 days after they were deleted, and no others', async () => {
      const [deleted, kept] = [await addKey(world, customerId), await addKey(world, customerId)];
      await deleteKey(world, { customerId, keyId: deleted.id }, TESTER);
      await world.clock.advance(DELETED_KEY_DAYS * DAY_MS);
      expect(await purge(null)).toBe(0);
      await world.clock.advance(1);
      expect(await purge(null)).toBe(1);
      expect(await db().query('select id from api_key')).toEqual([{ id: kept.id }]);
    });

    test('keeps all audit events unless a retention is set', async () => {
      await world.clock.advance(10_000 * DAY_MS);
      expect(await purge(null)).toBe(0);
      expect(await actions()).toEqual(['customer.create']);
    });

    test('deletes old audit events, and the rest of each chain can be checked', async () => {
      await addKey(world, customerId);
      await addKey(world, customerId);
      await world.clock.advance(AUDIT_DAYS * DAY_MS + 1);
      await addKey(world, customerId);
      const quietId = await addCustomer(world, 'B');
      // The creation of the customer and of its first key. That of the second is the newest old event.
      expect(await purge()).toBe(2);
      expect(await actions()).toEqual(['key.create', 'key.create']);
      const [purged] = await listAuditEvents(db(), {
        customerId: null,
        actionPrefix: 'store.',
        limit: 9,
      });
      expect(purged).toMatchObject({ action: 'store.purge-audit', details: { events: 2 } });
      expect(await verifyAuditChains(db())).toMatchObject({ chains: 3, broken: null });
      await world.clock.advance(2 * AUDIT_DAYS * DAY_MS);
      await addKey(world, quietId);
      await purge();
      expect(await verifyAuditChains(db())).toMatchObject({ chains: 3, broken: null });
    });

    test('names the oldest event of a chain if others than a purge deleted those before it', async () => {
      await addKey(world, customerId);
      await world.clock.advance(AUDIT_DAYS * DAY_MS + 1);
      await addKey(world, customerId);
      await addKey(world, customerId);
      await purge();
      const events = await listAuditEvents(db(), { customerId, limit: 9 });
      await db().query('delete from audit_event where id = $1', [events.at(-1)?.id ?? 0]);
      expect((await verifyAuditChains(db())).broken).toEqual({
        eventId: events.at(-2)?.id,
        customerId,
        reason: 'follows an event that is missing',
      });
    });
  });
});
