import { beforeEach, describe, expect, test } from 'vitest';
import {
  accountWorld,
  type AccountWorld,
  addCustomer,
  addPerson,
  PASSWORD,
  refOf,
  TESTER,
} from '../../../test/support/account-world.ts';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { QueueFullError } from '../../platform/bounded-queue.ts';
import { COMMAND_LINE } from '../audit-log.ts';
import { findCustomer } from '../customers/customer-store.ts';
import { findSession } from '../sessions/sessions.ts';
import { consumeAttempt } from '../sign-in/attempt-limiter.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import { changePassword } from './change-password.ts';
import { hashForLink } from './hash-for-link.ts';
import {
  acceptInvitation,
  invite,
  listOpenInvitations,
  readInvitation,
  withdrawInvitation,
  PEOPLE_MAX,
} from './invitations.ts';
import { takeTry } from './one-time-link-store.ts';
import { changePerson, disablePerson, removePerson } from './people.ts';
import { createPasswordReset, resetPassword } from './password-reset.ts';
import { createSetupToken, setUpOperator } from './setup.ts';
import { signUp } from './sign-up.ts';

const disable: typeof removePerson = disablePerson;
const demote: typeof removePerson = (deps, person, actor) =>
  changePerson(deps, { ...person, role: 'member' }, actor);

const HOME = { address: '192.0.2.1', userAgent: null };
const NEXT = 'nine herons in the fog';
const INVALID_LINK = { kind: 'invalid-link' };
const BAD_PASSWORD = { kind: 'invalid', parameter: 'password' };

describe('one-time links', () => {
  onEachEngine((db) => {
    let world: AccountWorld;
    beforeEach(() => {
      world = accountWorld(db());
    });
    const enter = (email: string, password = PASSWORD) =>
      signIn(world, { email, password, ...HOME });
    const setUp = (token: string, password = PASSWORD) =>
      setUpOperator(world, { token, email: 'first@example.com', password, ...HOME });
    async function invited(customerId: string | null, email = 'new@example.com') {
      const role = customerId === null ? 'operator' : 'member';
      const creation = await invite(world, { customerId, email, role }, COMMAND_LINE);
      if (creation.kind !== 'invited') throw new Error(creation.kind);
      return creation;
    }
    const accept = (token: string, password = PASSWORD) =>
      acceptInvitation(world, { token, password, ...HOME });

    test('creates the first operator once, with the setup token', async () => {
      const token = (await createSetupToken(world)) ?? '';
      expect(await setUp('guess')).toEqual(INVALID_LINK);
      expect(await setUp(token, 'short')).toMatchObject(BAD_PASSWORD);
      expect(await setUp(token)).toMatchObject({ kind: 'created', person: { role: 'operator' } });
      expect(await setUp(token)).toEqual(INVALID_LINK);
      expect((await enter('first@example.com')).kind).toBe('signed-in');
      expect(await createSetupToken(world)).toBeNull();
    });

    test('ends a link after five hashed passwords, not counting those that found the queue full', async () => {
      const { token } = await invited(null);
      const input = { token, password: PASSWORD, emailKey: 'new@example.com' };
      let isFlooded = true;
      const flood = Array.from({ length: 30 }, async () => {
        while (isFlooded) {
          await hashPassword(PASSWORD, world.random).catch(() => undefined);
          await new Promise((resolve) => setImmediate(resolve));
        }
      });
      await expect(hashForLink(world, 'invitation', input)).rejects.toThrow(QueueFullError);
      isFlooded = false;
      await Promise.all(flood);
      for (let attempt = 0; attempt < 5; attempt += 1) {
        expect(await readInvitation(world, token)).not.toBeNull();
        expect(await accept(token, 'short')).toMatchObject(BAD_PASSWORD);
        expect(await takeTry(db(), 'invitation', token, world.clock.now())).toBe(true);
      }
      expect(await hashForLink(world, 'invitation', input)).toEqual(INVALID_LINK);
      expect(await readInvitation(world, token)).toBeNull();
      expect(await accept(token)).toEqual(INVALID_LINK);
      expect(await listOpenInvitations(world, null)).toEqual([]);
    });

    test('rejects a setup token after thirty minutes or once it is replaced', async () => {
      const first = (await createSetupToken(world)) ?? '';
      const second = (await createSetupToken(world)) ?? '';
      expect(await setUp(first)).toEqual(INVALID_LINK);
      await world.clock.advance(30 * 60_000);
      expect(await setUp(second)).toEqual(INVALID_LINK);
    });

    test('creates only one operator when the setup token is used twice concurrently', async () => {
      const token = (await createSetupToken(world)) ?? '';
      const input = { token, password: PASSWORD, ...HOME };
      const both = await Promise.all(
        ['a@example.com', 'b@example.com'].map((email) =>
          setUpOperator(world, { ...input, email }),
        ),
      );
      expect(both.map(({ kind }) => kind).toSorted()).toEqual(['created', 'invalid-link']);
    });

    test('lets an invited person join once, as part of the customer that invited them', async () => {
      const customerId = await addCustomer(world, 'A');
      const { token } = await invited(customerId);
      const invitation = { email: 'new@example.com', role: 'member', customerName: 'A' };
      expect(await readInvitation(world, token)).toEqual(invitation);
      expect(await accept(token, 'short')).toMatchObject(BAD_PASSWORD);
      const person = { email: 'new@example.com', role: 'member', customerId };
      expect(await accept(token)).toMatchObject({ kind: 'created', person });
      expect(await accept(token)).toEqual(INVALID_LINK);
      expect((await enter('new@example.com')).kind).toBe('signed-in');
    });

    test('expires invitations after seven days and lets only the customer that created them withdraw them', async () => {
      const [ownCustomer, other] = [await addCustomer(world, 'A'), await addCustomer(world, 'B')];
      const [first, second] = [
        await invited(ownCustomer),
        await invited(ownCustomer, 'b@example.com'),
      ];
      for (const customerId of [other, null]) {
        const foreign = { customerId, id: first.id };
        expect(await withdrawInvitation(world, foreign, TESTER)).toEqual({ kind: 'not-found' });
      }
      const ownResult = { customerId: ownCustomer, id: first.id };
      expect(await withdrawInvitation(world, ownResult, TESTER)).toEqual({ kind: 'withdrawn' });
      expect(await accept(first.token)).toEqual(INVALID_LINK);
      expect((await listOpenInvitations(world, ownCustomer)).map(({ id }) => id)).toEqual([
        second.id,
      ]);
      await world.clock.advance(7 * 86_400_000);
      expect(await accept(second.token)).toEqual(INVALID_LINK);
      expect(await listOpenInvitations(world, ownCustomer)).toEqual([]);
    });

    test('signs in a person who accepts an invitation, however many sign-in attempts were made from the address', async () => {
      const customerId = await addCustomer(world, 'A');
      const { token } = await invited(customerId);
      for (let at = 0; at < 25; at++) {
        const of = { emailKey: `${at}@example.com`, isKnownAddress: false };
        await consumeAttempt(db(), { ...of, address: HOME.address }, world.clock.now());
      }
      expect((await enter('new@example.com')).kind).toBe('too-many');
      const creation = await accept(token);
      if (creation.kind !== 'created') throw new Error(creation.kind);
      expect(await findSession(world, creation.token)).toMatchObject({
        person: creation.person,
        session: { id: creation.session.id },
      });
    });

    test('counts people and open invitations toward the maximum of a customer', async () => {
      const customerId = await addCustomer(world, 'A');
      await db().query(
        `with people as (
           insert into person (id, email, email_key, created_at)
           select 'per_' || n, n || '@example.com', n || '@example.com', now()
             from generate_series(1, $2::int4) as n returning id)
         insert into membership (person_id, customer_id, role, created_at, used_at)
         select id, $1, 'member', now(), now() from people`,
        [customerId, PEOPLE_MAX - 1],
      );
      await invited(customerId, 'last@example.com');
      const further = { customerId, email: 'further@example.com', role: 'member' } as const;
      expect(await invite(world, further, TESTER)).toMatchObject({
        kind: 'invalid',
        detail: expect.stringContaining(`at most ${PEOPLE_MAX} people`) as string,
      });
    });

    test("invalidates a person's invitations when the person is disabled, demoted or removed", async () => {
      const customerId = await addCustomer(world, 'A');
      await addPerson(world, 'stays@example.com', { role: 'owner', customerId });
      for (const [at, end] of [disable, demote, removePerson].entries()) {
        const email = `${at}@example.com`;
        const inviter = await addPerson(world, email, { role: 'owner', customerId });
        const actor = { ...TESTER, id: inviter.id };
        const newPerson = { customerId, email: `of-${email}`, role: 'owner' } as const;
        const creation = await invite(world, newPerson, actor);
        if (creation.kind !== 'invited') throw new Error(creation.kind);
        await invited(customerId, `else-${email}`);
        const done = await end(world, { customerId, personId: inviter.id }, TESTER);
        expect(done).toMatchObject({ kind: 'changed' });
        expect(await accept(creation.token)).toEqual(INVALID_LINK);
        expect(await listOpenInvitations(world, customerId)).toHaveLength(at + 1);
        expect(await invite(world, newPerson, actor)).toMatchObject({ kind: 'invalid' });
      }
    });

    test('invalidates password reset links when their creator is disabled, demoted or removed', async () => {
      const customerId = await addCustomer(world, 'A');
      const other = await addPerson(world, 'stays@example.com', { role: 'owner', customerId });
      for (const [at, end] of [disable, demote, removePerson].entries()) {
        const email = `${at}@example.com`;
        const inviter = await addPerson(world, email, { role: 'owner', customerId });
        const actor = { ...TESTER, id: inviter.id };
        const creation = await createPasswordReset(world, refOf(other), actor);
        if (creation.kind !== 'made') throw new Error(creation.kind);
        await end(world, { customerId, personId: inviter.id }, TESTER);
        const input = { token: creation.token, password: NEXT, ...HOME };
        expect(await resetPassword(world, input)).toEqual(INVALID_LINK);
        expect(await createPasswordReset(world, refOf(other), actor)).toEqual({
          kind: 'not-found',
        });
      }
      expect((await enter('stays@example.com')).kind).toBe('signed-in');
    });

    test('invalidates password reset links when the password is changed', async () => {
      const person = await addPerson(world, 'a@example.com');
      const creation = await createPasswordReset(world, refOf(person), COMMAND_LINE);
      if (creation.kind !== 'made') throw new Error(creation.kind);
      await changePassword(world, {
        person,
        current: PASSWORD,
        next: NEXT,
        ...HOME,
      });
      const input = { token: creation.token, password: `${NEXT} again`, ...HOME };
      expect(await resetPassword(world, input)).toEqual(INVALID_LINK);
    });

    test('creates operators through invitations that belong to no customer', async () => {
      const customerId = await addCustomer(world, 'A');
      const email = 'x@example.com';
      for (const wrongCurrent of [
        { customerId, email, role: 'operator' },
        { customerId: null, email, role: 'owner' },
      ] as const) {
        expect(await invite(world, wrongCurrent, COMMAND_LINE)).toMatchObject({
          parameter: 'role',
        });
      }
      const { token } = await invited(null);
      const person = { role: 'operator', customerId: null };
      expect(await accept(token)).toMatchObject({ kind: 'created', person });
    });

    test('rejects a token that belongs to a different kind of link', async () => {
      const setup = (await createSetupToken(world)) ?? '';
      const { token } = await invited(null);
      expect(await accept(setup)).toEqual(INVALID_LINK);
      expect(await setUp(token)).toEqual(INVALID_LINK);
      const input = { password: PASSWORD, ...HOME };
      expect(await resetPassword(world, { ...input, token })).toEqual(INVALID_LINK);
    });

    test('sets a new password with a reset link once within an hour, and ends every session', async () => {
      const person = await addPerson(world, 'a@example.com');
      const sessions = await enter('a@example.com');
      if (sessions.kind !== 'signed-in') throw new Error(sessions.kind);
      const first = await createPasswordReset(world, refOf(person), COMMAND_LINE);
      const second = await createPasswordReset(world, refOf(person), COMMAND_LINE);
      if (first.kind !== 'made' || second.kind !== 'made') throw new Error('not made');
      expect((await enter('a@example.com')).kind).toBe('signed-in');
      const input = { password: NEXT, ...HOME };
      expect(await resetPassword(world, { ...input, token: first.token })).toEqual(INVALID_LINK);
      const badPassword = {
        ...input,
        token: second.token,
        password: 'a@example.com a@example.com',
      };
      expect(await resetPassword(world, badPassword)).toMatchObject(BAD_PASSWORD);
      const accepted = { ...input, token: second.token };
      expect(await resetPassword(world, accepted)).toEqual({ kind: 'changed' });
      expect(await resetPassword(world, accepted)).toEqual(INVALID_LINK);
      expect(await findSession(world, sessions.token)).toBeNull();
      expect((await enter('a@example.com')).kind).toBe('refused');
      expect((await enter('a@example.com', NEXT)).kind).toBe('signed-in');
      const lateResult = await createPasswordReset(world, refOf(person), COMMAND_LINE);
      await world.clock.advance(60 * 60_000);
      if (lateResult.kind !== 'made') throw new Error(lateResult.kind);
      expect(await resetPassword(world, { ...input, token: lateResult.token })).toEqual(
        INVALID_LINK,
      );
    });

    test('lets a person who forgot their password sign in with the new one immediately', async () => {
      const person = await addPerson(world, 'a@example.com');
      while ((await enter('a@example.com', 'not this one at all')).kind === 'refused');
      expect((await enter('a@example.com')).kind).toBe('too-many');
      const creation = await createPasswordReset(world, refOf(person), COMMAND_LINE);
      if (creation.kind !== 'made') throw new Error(creation.kind);
      await resetPassword(world, { token: creation.token, password: NEXT, ...HOME });
      expect((await enter('a@example.com', NEXT)).kind).toBe('signed-in');
    });

    test('changes a password without a link if the current one is given, and ends all other sessions', async () => {
      const person = await addPerson(world, 'a@example.com');
      const [one, two] = [await enter('a@example.com'), await enter('a@example.com')];
      if (one.kind !== 'signed-in' || two.kind !== 'signed-in') throw new Error('not signed in');
      const input = { person, current: PASSWORD, next: NEXT, ...HOME };
      const wrongCurrent = await changePassword(world, { ...input, current: NEXT });
      expect(wrongCurrent).toEqual({ kind: 'refused' });
      const badPassword = await changePassword(world, { ...input, next: 'passwordpassword' });
      expect(badPassword).toMatchObject(BAD_PASSWORD);
      const done = await changePassword(world, input);
      if (done.kind !== 'changed') throw new Error(done.kind);
      const sessions = await Promise.all(
        [one.token, two.token, done.token].map((token) => findSession(world, token)),
      );
      expect(sessions.map((row) => row !== null)).toEqual([false, false, true]);
    });

    test('makes a person who signs up the owner of a new customer, without a link', async () => {
      const input = {
        email: 'a@example.com',
        password: PASSWORD,
        name: 'A',
        plan: 'free',
        ...HOME,
      };
      const creation = await signUp(world, input);
      if (creation.kind !== 'created') throw new Error(creation.kind);
      expect(creation.person).toMatchObject({ email: 'a@example.com', role: 'owner' });
      const customer = await findCustomer(db(), creation.person.customerId ?? '');
      expect(customer).toMatchObject({ name: 'A', plan: { name: 'free' } });
      expect((await enter('a@example.com')).kind).toBe('signed-in');
    });

    test('stores nothing but the attempt for a rejected sign-up', async () => {
      const input = {
        email: 'b@example.com',
        password: PASSWORD,
        name: 'B',
        plan: 'free',
        ...HOME,
      };
      for (const [parameter, change] of [
        ['email', { email: 'none' }],
        ['password', { password: 'short' }],
        ['name', { name: ' ' }],
        ['plan', { plan: 'gold' }],
      ] as const) {
        const refused = await signUp(world, { ...input, ...change });
        expect(refused).toMatchObject({ kind: 'invalid', parameter });
      }
      expect(await db().query('select id from customer')).toEqual([]);
      const results = [];
      for (let count = 0; count < 5; count++) results.push(await signUp(world, input));
      expect(results.map(({ kind }) => kind)).toContain('too-many');
      expect(await db().query('select id from customer')).toHaveLength(1);
    });

    test('does not store the tokens of one-time links', async () => {
      const setup = (await createSetupToken(world)) ?? '';
      const { token } = await invited(null);
      const rows = await db().query(
        `select one_time_link::text || encode(hash, 'escape') as line from one_time_link
         union all select audit_event::text from audit_event`,
      );
      expect(rows.length).toBeGreaterThan(3);
      for (const hidden of [setup, token]) expect(JSON.stringify(rows)).not.toContain(hidden);
    });
  });
});
