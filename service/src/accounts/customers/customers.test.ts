import { beforeEach, describe, expect, test } from 'vitest';
import { addCustomer, addKey, TESTER } from '../../../test/support/account-world.ts';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { seededRandom } from '../../platform/random.ts';
import { COMMAND_LINE, listAuditEvents } from '../audit-log.ts';
import type { AccountsDeps } from '../deps.ts';
import { listKeys } from '../keys/key-store.ts';
import { createPerson } from '../people/people.ts';
import { invite, listOpenInvitations } from '../people/invitations.ts';
import { listPeople } from '../people/person-store.ts';
import { findCustomer, findCustomerByName, listCustomers } from './customer-store.ts';
import {
  changeCustomerPlan,
  createCustomer,
  renameCustomer,
  resumeCustomer,
  suspendCustomer,
} from './customers.ts';
import { deleteCustomer } from './delete-customer.ts';

const NOW = Date.UTC(2026, 10, 20, 15);

describe('customers', () => {
  onEachEngine((db) => {
    let deps: AccountsDeps;
    beforeEach(() => {
      deps = { db: db(), clock: fakeClock(NOW), random: seededRandom(1) };
    });

    test('creates, renames, suspends and resumes customers, changes their plan, and records each change in the audit log', async () => {
      const customerId = await addCustomer(deps, ' A ');
      expect(await findCustomerByName(db(), 'A')).toMatchObject({ id: customerId, createdAt: NOW });
      const change = { kind: 'changed' };
      expect(await renameCustomer(deps, { customerId, name: 'B' }, TESTER)).toEqual(change);
      expect(await changeCustomerPlan(deps, { customerId, plan: 'pro' }, TESTER)).toEqual(change);
      expect(await suspendCustomer(deps, customerId, TESTER)).toEqual(change);
      const customer = await findCustomer(db(), customerId);
      expect(customer).toMatchObject({ name: 'B', plan: { name: 'pro' }, suspendedAt: NOW });
      expect(await resumeCustomer(deps, customerId, TESTER)).toEqual(change);
      expect((await findCustomer(db(), customerId))?.suspendedAt).toBeNull();
      const events = await listAuditEvents(db(), { customerId, limit: 9 });
      expect(events.map(({ action, details }) => [action, details])).toEqual([
        ['customer.resume', {}],
        ['customer.suspend', {}],
        ['customer.plan', { before: 'free', after: 'pro' }],
        ['customer.rename', { before: 'A', after: 'B' }],
        ['customer.create', { name: 'A', plan: 'free' }],
      ]);
    });

    test('rejects duplicate and empty customer names', async () => {
      await addCustomer(deps, 'A');
      const customerId = await addCustomer(deps, 'B');
      const result = { kind: 'name-taken' };
      expect(await createCustomer(deps, { name: 'A', plan: 'pro' }, TESTER)).toEqual(result);
      expect(await renameCustomer(deps, { customerId, name: 'A' }, TESTER)).toEqual(result);
      for (const name of ['', '  ', 'x'.repeat(201), 'a\u0000b']) {
        const invalid = { kind: 'invalid', parameter: 'name' };
        expect(await createCustomer(deps, { name, plan: 'free' }, TESTER)).toMatchObject(invalid);
        expect(await renameCustomer(deps, { customerId, name }, TESTER)).toMatchObject(invalid);
      }
    });

    test('keeps the original suspension time when a customer is suspended twice', async () => {
      const customerId = await addCustomer(deps, 'A');
      await suspendCustomer(deps, customerId, TESTER);
      const later = { ...deps, clock: fakeClock(NOW + 60_000) };
      await suspendCustomer(later, customerId, TESTER);
      expect((await findCustomer(db(), customerId))?.suspendedAt).toBe(NOW);
      await resumeCustomer(later, customerId, TESTER);
      await suspendCustomer(later, customerId, TESTER);
      expect((await findCustomer(db(), customerId))?.suspendedAt).toBe(NOW + 60_000);
    });

    test('rejects an unknown plan for a customer', async () => {
      const customerId = await addCustomer(deps, 'A');
      const invalid = { kind: 'invalid', parameter: 'plan' };
      const options = { name: 'B', plan: 'gold' };
      expect(await createCustomer(deps, options, TESTER)).toMatchObject(invalid);
      expect(await changeCustomerPlan(deps, { customerId, plan: 'gold' }, TESTER)).toMatchObject(
        invalid,
      );
    });

    test('hides a deleted customer, revokes its keys, and deletes its people and invitations', async () => {
      const customerId = await addCustomer(deps, 'A');
      const other = await addCustomer(deps, 'B');
      for (const owner of [customerId, other]) {
        await addKey(deps, owner);
        const email = `${owner}@example.com`;
        await createPerson(deps, { customerId: owner, email, role: 'owner' }, TESTER);
        await invite(
          deps,
          { customerId: owner, email: 'x@example.com', role: 'member' },
          COMMAND_LINE,
        );
      }
      const deleted = { kind: 'deleted', keysRevoked: 1 };
      expect(await deleteCustomer(deps, customerId, TESTER)).toEqual(deleted);
      expect(await findCustomer(db(), customerId)).toBeNull();
      const keys = await listKeys(db(), { customerId: null, limit: 9 });
      expect(keys.map((key) => [key.customerId, key.revokedAt])).toEqual(
        expect.arrayContaining([
          [customerId, NOW],
          [other, null],
        ]),
      );
      const remaining = [await listPeople(db(), customerId), await listPeople(db(), other)];
      expect(remaining.map((people) => people.length)).toEqual([0, 1]);
      expect(await listOpenInvitations(deps, customerId)).toEqual([]);
      expect(await listOpenInvitations(deps, other)).toHaveLength(1);
      expect(await deleteCustomer(deps, customerId, TESTER)).toEqual({ kind: 'not-found' });
      expect(await suspendCustomer(deps, customerId, TESTER)).toEqual({ kind: 'not-found' });
    });

    test("frees the name of a deleted customer and keeps the customer's audit log", async () => {
      const customerId = await addCustomer(deps, 'A');
      await deleteCustomer(deps, customerId, TESTER);
      expect(await addCustomer(deps, 'A')).not.toBe(customerId);
      const [last] = await listAuditEvents(db(), { customerId, limit: 1 });
      expect(last).toMatchObject({ action: 'customer.delete', subject: customerId });
    });

    test('lists customers by name in pages and searches them ignoring case', async () => {
      for (const name of ['Bravo', 'Alpha', 'Alphabet', 'Charlie 100%']) {
        await addCustomer(deps, name);
      }
      const names = async (options: { search?: string; after?: string; limit: number }) =>
        (await listCustomers(db(), options)).map(({ name }) => name);
      expect(await names({ limit: 2 })).toEqual(['Alpha', 'Alphabet']);
      expect(await names({ limit: 2, after: 'Alphabet' })).toEqual(['Bravo', 'Charlie 100%']);
      expect(await names({ limit: 9, search: 'ALPHA' })).toEqual(['Alpha', 'Alphabet']);
      expect(await names({ limit: 9, search: '%' })).toEqual(['Charlie 100%']);
    });
  });
});
