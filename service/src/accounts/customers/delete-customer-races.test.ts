import { beforeEach, describe, expect, test } from 'vitest';
import {
  accountWorld,
  type AccountWorld,
  addCustomer,
  addKey,
  TESTER,
} from '../../../test/support/account-world.ts';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { COMMAND_LINE } from '../audit-log.ts';
import { createKey } from '../keys/create-key.ts';
import { listKeys } from '../keys/key-store.ts';
import { rollKey } from '../keys/roll-key.ts';
import { invite, listOpenInvitations } from '../people/invitations.ts';
import { createPerson } from '../people/people.ts';
import { listPeople } from '../people/person-store.ts';
import { deleteCustomer } from './delete-customer.ts';

describe('creation of objects during the deletion of their customer', () => {
  onEachEngine((db) => {
    let world: AccountWorld;
    let customerId: string;
    beforeEach(async () => {
      world = accountWorld(db());
      customerId = await addCustomer(world, 'A');
    });

    /**
     * Runs `make` after the deletion has revoked the keys and deleted the people, but before it
     * commits.
     */
    async function whileDeleting<T>(make: () => Promise<T>): Promise<T> {
      const ended = Promise.withResolvers<void>();
      const commit = Promise.withResolvers<void>();
      const deleting = deleteCustomer(world, customerId, TESTER, async () => {
        ended.resolve();
        await commit.promise;
      });
      await ended.promise;
      const making = make();
      await Promise.race([making, untilBlocked()]);
      commit.resolve();
      await deleting;
      return making;
    }

    /**
     * Waits until a query is blocked by a lock. The embedded store needs no wait, because it runs
     * one transaction at a time.
     */
    async function untilBlocked(): Promise<void> {
      if (db().engine === 'pglite') return;
      await expect.poll(waiting).toBeGreaterThan(0);
    }

    async function waiting(): Promise<number> {
      const [row] = await db().query<{ count: number }>(
        `select count(*)::int4 as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row?.count ?? 0;
    }

    const ofCustomer = (role: 'owner') => ({ customerId, email: 'ada@example.com', role });

    test('does not create a key for a customer that is being deleted', async () => {
      const result = await whileDeleting(() =>
        createKey(world, { customerId, kind: 'live' }, TESTER),
      );
      expect(result).toEqual({ kind: 'not-found' });
      expect(await listKeys(db(), { customerId, limit: 9 })).toEqual([]);
    });

    test('does not roll a key of a customer that is being deleted', async () => {
      const { id: keyId } = await addKey(world, customerId);
      await whileDeleting(() => rollKey(world, { customerId, keyId, grace: '1h' }, TESTER));
      const keys = await listKeys(db(), { customerId, limit: 9 });
      expect(keys.map(({ id, revokedAt }) => [id, revokedAt])).toEqual([
        [keyId, world.clock.now()],
      ]);
    });

    test('does not add a person to a customer that is being deleted', async () => {
      const result = await whileDeleting(() => createPerson(world, ofCustomer('owner'), TESTER));
      expect(result).toEqual({ kind: 'not-found' });
      expect(await listPeople(db(), customerId)).toEqual([]);
    });

    test('does not create an invitation for a customer that is being deleted', async () => {
      const result = await whileDeleting(() => invite(world, ofCustomer('owner'), COMMAND_LINE));
      expect(result).toEqual({ kind: 'not-found' });
      expect(await listOpenInvitations(world, customerId)).toEqual([]);
    });
  });
});
