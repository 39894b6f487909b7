import { beforeEach, describe, expect, test } from 'vitest';
import {
  accountWorld,
  type AccountWorld,
  addCustomer,
  addPerson,
  TESTER,
} from '../../../test/support/account-world.ts';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { listAuditEvents } from '../audit-log.ts';
import type { Role } from '../permissions.ts';
import { readEmail } from './email.ts';
import { changePerson, createPerson, disablePerson, enablePerson, removePerson } from './people.ts';
import { findPerson, listPeople } from './person-store.ts';

describe('people', () => {
  onEachEngine((db) => {
    let world: AccountWorld;
    let customerId: string;
    beforeEach(async () => {
      world = accountWorld(db());
      customerId = await addCustomer(world, 'A');
    });
    const add = async (
      name: string,
      role: Role = 'member',
      customer: string | null = customerId,
    ) => {
      const options = { role, customerId: customer, withPassword: false };
      return (await addPerson(world, `${name}@example.com`, options)).id;
    };
    const named = (personId: string) => ({ customerId, personId });

    test('rejects a taken email address, ignoring case', async () => {
      await add('a');
      const options = { customerId, email: 'A@EXAMPLE.com', role: 'member' } as const;
      expect(await createPerson(world, options, TESTER)).toEqual({ kind: 'email-taken' });
    });

    test('allows only operators to belong to no customer', async () => {
      const email = 'b@example.com';
      for (const [role, customer] of [
        ['operator', customerId],
        ['owner', null],
        ['member', null],
      ] as const) {
        const creation = await createPerson(world, { customerId: customer, email, role }, TESTER);
        expect(creation).toMatchObject({ kind: 'invalid', parameter: 'role' });
      }
      const owner = await add('c', 'owner');
      const creation = await changePerson(world, { ...named(owner), role: 'operator' }, TESTER);
      expect(creation).toMatchObject({ kind: 'invalid', parameter: 'role' });
      const nowhere = { customerId: 'cus_none', email, role: 'owner' } as const;
      expect(await createPerson(world, nowhere, TESTER)).toEqual({ kind: 'not-found' });
    });

    test("changes a person's role and enabled state together or not at all", async () => {
      const owner = await add('owner', 'owner');
      const both = { ...named(owner), role: 'owner', enabled: false } as const;
      expect(await changePerson(world, both, TESTER)).toEqual({ kind: 'last-one' });
      const member = await add('member');
      const wrongRole = { ...named(member), role: 'operator', enabled: false } as const;
      expect(await changePerson(world, wrongRole, TESTER)).toMatchObject({ kind: 'invalid' });
      expect((await findPerson(db(), member))?.disabledAt).toBeNull();
      await changePerson(world, { ...both, personId: member }, TESTER);
      expect(await findPerson(db(), member)).toMatchObject({
        role: 'owner',
        disabledAt: world.clock.now(),
      });
      const [second, first] = await listAuditEvents(db(), { customerId, limit: 2 });
      expect([first?.action, second?.action]).toEqual(['person.change-role', 'person.disable']);
    });

    test('keeps the original time of disabling when a person is disabled twice', async () => {
      const member = await add('member');
      const disabledSince = world.clock.now();
      await disablePerson(world, named(member), TESTER);
      await world.clock.advance(60_000);
      await disablePerson(world, named(member), TESTER);
      expect((await findPerson(db(), member))?.disabledAt).toBe(disabledSince);
      await enablePerson(world, named(member), TESTER);
      expect((await findPerson(db(), member))?.disabledAt).toBeNull();
    });

    test('does not remove the last owner of a customer or the last operator', async () => {
      const owner = await add('owner', 'owner');
      const member = await add('member');
      const operator = await add('operator', 'operator', null);
      const last = { kind: 'last-one' };
      expect(await removePerson(world, named(owner), TESTER)).toEqual(last);
      expect(await disablePerson(world, named(owner), TESTER)).toEqual(last);
      expect(await changePerson(world, { ...named(owner), role: 'member' }, TESTER)).toEqual(last);
      const alone = { customerId: null, personId: operator };
      expect(await removePerson(world, alone, TESTER)).toEqual(last);
      expect(await disablePerson(world, alone, TESTER)).toEqual(last);
      const changed = { kind: 'changed', keys: [] };
      expect(await changePerson(world, { ...named(member), role: 'owner' }, TESTER)).toEqual(
        changed,
      );
      expect(await removePerson(world, named(owner), TESTER)).toEqual(changed);
    });

    test('keeps one owner when the last two are removed concurrently', async () => {
      const owners = [await add('a', 'owner'), await add('b', 'owner')];
      const outcomes = await Promise.all(
        owners.map((personId) => removePerson(world, named(personId), TESTER)),
      );
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['changed', 'last-one']);
      expect(await listPeople(db(), customerId)).toHaveLength(1);
    });

    test("does not find a person when given a different customer's id", async () => {
      const other = await addCustomer(world, 'B');
      await add('a', 'owner');
      const personId = await add('b', 'owner');
      const before = await findPerson(db(), personId);
      for (const customer of [other, null]) {
        const foreign = { customerId: customer, personId };
        for (const action of [disablePerson, enablePerson, removePerson]) {
          expect(await action(world, foreign, TESTER)).toEqual({ kind: 'not-found' });
        }
      }
      const role = 'member' as const;
      const changed = await changePerson(world, { customerId: other, personId, role }, TESTER);
      expect(changed).toEqual({ kind: 'not-found' });
      expect(await findPerson(db(), personId)).toEqual(before);
    });

    test("records every action on a person in the audit log with the person's customer", async () => {
      await add('a', 'owner');
      const personId = await add('b');
      await changePerson(world, { ...named(personId), role: 'owner' }, TESTER);
      await disablePerson(world, named(personId), TESTER);
      await enablePerson(world, named(personId), TESTER);
      await removePerson(world, named(personId), TESTER);
      const events = await listAuditEvents(db(), { customerId, limit: 4 });
      expect(events.map(({ action, subject }) => [action, subject])).toEqual(
        ['remove', 'enable', 'disable', 'change-role'].map((name) => [`person.${name}`, personId]),
      );
      expect(events[0]?.details).toEqual({ email: 'b@example.com' });
    });
  });
});

test.each([
  '',
  'a',
  'a@b',
  '@example.com',
  'a b@example.com',
  'a@example.com\n@x',
  'a@@x.y',
  'a@x.',
])('rejects %j as an email address', (text) => {
  expect(readEmail(text)).toBeNull();
});
