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
import { listAuditEvents, recordAuditEvent } from './audit-log.ts';

describe('audit chains', () => {
  onEachEngine((db) => {
    let world: AccountWorld;
    let customerId: string;
    beforeEach(async () => {
      world = accountWorld(db());
      customerId = await addCustomer(world, 'A');
      for (let count = 0; count < 3; count++) await addKey(world, customerId, { name: 'é "\\' });
    });
    const record = (customer: string | null) =>
      db().transaction((tx) =>
        recordAuditEvent(tx, {
          actor: TESTER,
          at: world.clock.now(),
          action: 'key.create',
          subject: 'key_1',
          customerId: customer,
        }),
      );
    const idAt = async (index: number) =>
      (await listAuditEvents(db(), { customerId, limit: 9 })).toReversed()[index]?.id ?? 0;
    const broken = async () => (await verifyAuditChains(db())).broken;

    test('chains the events of each customer and of the service', async () => {
      await record(null);
      await record(null);
      await addCustomer(world, 'B');
      expect(await verifyAuditChains(db())).toEqual({ events: 7, chains: 3, broken: null });
    });

    test('chains events that are recorded at the same time', async () => {
      const customers = Array.from({ length: 24 }, (_, index) =>
        index % 3 === 0 ? null : customerId,
      );
      await Promise.all(customers.map(record));
      expect(await verifyAuditChains(db())).toEqual({ events: 28, chains: 2, broken: null });
    });

    test('chains events of several customers in one transaction without a deadlock', async () => {
      const other = await addCustomer(world, 'B');
      const recordBoth = (order: string[]) =>
        db().transaction(async (tx) => {
          for (const id of order) {
            const event = { actor: TESTER, at: 0, action: 'key.create', subject: null } as const;
            await recordAuditEvent(tx, { ...event, customerId: id });
          }
        });
      const orders = Array.from({ length: 12 }, (_, index) =>
        index % 2 === 0 ? [customerId, other] : [other, customerId],
      );
      await Promise.all(orders.map(recordBoth));
      expect(await broken()).toBeNull();
    });

    test.each([
      ["act = 'key.revoke'", 'was changed'],
      ['details = details || \'{"name": "other"}\'', 'was changed'],
      ["at = at + interval '1 second'", 'was changed'],
      ['hash = null', 'has no hash'],
      ['chain_no = null', 'has no hash'],
    ])('names an event that was changed by set %s', async (change, reason) => {
      const eventId = await idAt(1);
      await db().query(`update audit_event set ${change} where id = $1`, [eventId]);
      const found = await broken();
      expect(found).toMatchObject({
        customerId,
        reason: expect.stringContaining(reason) as string,
      });
      // A gap is found at the next event.
      expect([eventId, await idAt(2)]).toContain(found?.eventId);
    });

    test('names the event after a changed one whose hash was computed again', async () => {
      const eventId = await idAt(1);
      await db().query(`update audit_event set act = 'key.revoke' where id = $1`, [eventId]);
      await db().query(
        'update audit_event set hash = audit_event_hash(audit_event) where id = $1',
        [eventId],
      );
      expect(await broken()).toEqual({
        eventId: await idAt(2),
        customerId,
        reason: 'does not have the hash of the event before it',
      });
    });

    test.each([0, 1])('names the event after a deleted one (%i)', async (index) => {
      const next = await idAt(index + 1);
      await db().query('delete from audit_event where id = $1', [await idAt(index)]);
      const reason = 'follows an event that is missing';
      expect(await broken()).toEqual({ eventId: next, customerId, reason });
    });

    test('checks only newer events if asked', async () => {
      await db().query(`update audit_event set act = 'x' where id = $1`, [await idAt(0)]);
      const sinceId = await idAt(1);
      const report = { events: 2, chains: 1, broken: null };
      expect(await verifyAuditChains(db(), { sinceId })).toEqual(report);
    });
  });
});
