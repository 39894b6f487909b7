import { beforeEach, describe, expect, test } from 'vitest';
import {
  accountWorld,
  type AccountWorld,
  addCustomer,
  addPerson,
  PASSWORD,
  TESTER,
} from '../../../test/support/account-world.ts';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { COMMAND_LINE } from '../audit-log.ts';
import { findCustomer } from '../customers/customer-store.ts';
import { findSession } from '../sessions/sessions.ts';
import { consumeAttempt } from '../sign-in/attempt-limiter.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { changePassword } from './change-password.ts';
import {
  acceptInvitation,
  invite,
  listOpenInvitations,
  readInvitation,
  withdrawInvitation,
} from './invitations.ts';
import { changeRole, disablePerson, removePerson } from './people.ts';
import { createPasswordReset, resetPassword } from './password-reset.ts';
import { createSetupToken, setUpOperator } from './setup.ts';
import { signUp } from './sign-up.ts';

const disable: typeof removePerson = disablePerson;
const demote: typeof removePerson = (deps, of, actor) =>
  changeRole(deps, { ...of, role: 'member' }, actor);

const HOME = { address: '192.0.2.1', userAgent: null };
const NEXT = 'nine herons in the fog';
const INVALID_LINK = { kind: 'invalid-link' };
const BAD_PASSWORD = { kind: 'invalid', parameter: 'password' };

describe('links that open once', () => {
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
      const made = await invite(world, { customerId, email, role }, COMMAND_LINE);
      if (made.kind !== 'invited') throw new Error(made.kind);
      return made;
    }
    const accept = (token: string, password = PASSWORD) =>
      acceptInvitation(world, { token, password, ...HOME });

    test('the setup token makes the first operator, once', async () => {
      const token = (await createSetupToken(world)) ?? '';
      expect(await setUp('guess')).toEqual(INVALID_LINK);
      expect(await setUp(token, 'short')).toMatchObject(BAD_PASSWORD);
      expect(await setUp(token)).toMatchObject({ kind: 'created', person: { role: 'operator' } });
      expect(await setUp(token)).toEqual(INVALID_LINK);
      expect((await enter('first@example.com')).kind).toBe('signed-in');
      expect(await createSetupToken(world)).toBeNull();
    });

    test('the setup token lasts thirty minutes, and a later one ends it', async () => {
      const first = (await createSetupToken(world)) ?? '';
      const second = (await createSetupToken(world)) ?? '';
      expect(await setUp(first)).toEqual(INVALID_LINK);
      await world.clock.advance(30 * 60_000);
      expect(await setUp(second)).toEqual(INVALID_LINK);
    });

    test('two who bring the setup token at once do not both become operator', async () => {
      const token = (await createSetupToken(world)) ?? '';
      const given = { token, password: PASSWORD, ...HOME };
      const both = await Promise.all(
        ['a@example.com', 'b@example.com'].map((email) =>
          setUpOperator(world, { ...given, email }),
        ),
      );
      expect(both.map(({ kind }) => kind).toSorted()).toEqual(['created', 'invalid-link']);
    });

    test('an invitation makes the person it names, at the customer it names, once', async () => {
      const customerId = await addCustomer(world, 'A');
      const { token } = await invited(customerId);
      const shown = { email: 'new@example.com', role: 'member', customerName: 'A' };
      expect(await readInvitation(world, token)).toEqual(shown);
      expect(await accept(token, 'short')).toMatchObject(BAD_PASSWORD);
      const person = { email: 'new@example.com', role: 'member', customerId };
      expect(await accept(token)).toMatchObject({ kind: 'created', person });
      expect(await accept(token)).toEqual(INVALID_LINK);
      expect((await enter('new@example.com')).kind).toBe('signed-in');
    });

    test('an invitation lasts seven days, and can be withdrawn by its customer alone', async () => {
      const [mine, other] = [await addCustomer(world, 'A'), await addCustomer(world, 'B')];
      const [first, second] = [await invited(mine), await invited(mine, 'b@example.com')];
      for (const customerId of [other, null]) {
        const foreign = { customerId, id: first.id };
        expect(await withdrawInvitation(world, foreign, TESTER)).toEqual({ kind: 'not-found' });
      }
      const own = { customerId: mine, id: first.id };
      expect(await withdrawInvitation(world, own, TESTER)).toEqual({ kind: 'withdrawn' });
      expect(await accept(first.token)).toEqual(INVALID_LINK);
      expect((await listOpenInvitations(world, mine)).map(({ id }) => id)).toEqual([second.id]);
      await world.clock.advance(7 * 86_400_000);
      expect(await accept(second.token)).toEqual(INVALID_LINK);
      expect(await listOpenInvitations(world, mine)).toEqual([]);
    });

    test('who comes in by a link is signed in, however many tries there were from there', async () => {
      const customerId = await addCustomer(world, 'A');
      const { token } = await invited(customerId);
      for (let at = 0; at < 25; at++) {
        const of = { emailKey: `${at}@example.com`, isKnownAddress: false };
        await consumeAttempt(db(), { ...of, address: HOME.address }, world.clock.now());
      }
      expect((await enter('new@example.com')).kind).toBe('too-many');
      const made = await accept(token);
      if (made.kind !== 'created') throw new Error(made.kind);
      expect(await findSession(world, made.token)).toMatchObject({
        person: made.person,
        session: { id: made.session.id },
      });
    });

    test('an invited address that somebody has is told only to who accepts', async () => {
      const customerId = await addCustomer(world, 'A');
      await addPerson(world, 'taken@example.com', { withPassword: false });
      const { token } = await invited(customerId, 'Taken@example.com');
      expect(await accept(token)).toMatchObject({ kind: 'invalid', parameter: 'email' });
      expect(await listOpenInvitations(world, customerId)).toHaveLength(1);
      expect(await readInvitation(world, token)).toMatchObject({ email: 'Taken@example.com' });
    });

    test('what somebody invited ends when they are disabled, demoted or taken out', async () => {
      const customerId = await addCustomer(world, 'A');
      await addPerson(world, 'stays@example.com', { role: 'owner', customerId });
      for (const [at, end] of [disable, demote, removePerson].entries()) {
        const email = `${at}@example.com`;
        const inviter = await addPerson(world, email, { role: 'owner', customerId });
        const actor = { ...TESTER, id: inviter.id };
        const wanted = { customerId, email: `of-${email}`, role: 'owner' } as const;
        const made = await invite(world, wanted, actor);
        if (made.kind !== 'invited') throw new Error(made.kind);
        await invited(customerId, `else-${email}`);
        const done = await end(world, { customerId, personId: inviter.id }, TESTER);
        expect(done).toEqual({ kind: 'changed' });
        expect(await accept(made.token)).toEqual(INVALID_LINK);
        expect(await listOpenInvitations(world, customerId)).toHaveLength(at + 1);
        expect(await invite(world, wanted, actor)).toMatchObject({ kind: 'invalid' });
      }
    });

    test('a link to a new password ends when who made it is disabled, demoted or taken out', async () => {
      const customerId = await addCustomer(world, 'A');
      const other = await addPerson(world, 'stays@example.com', { role: 'owner', customerId });
      for (const [at, end] of [disable, demote, removePerson].entries()) {
        const email = `${at}@example.com`;
        const maker = await addPerson(world, email, { role: 'owner', customerId });
        const actor = { ...TESTER, id: maker.id };
        const made = await createPasswordReset(world, other.id, actor);
        if (made.kind !== 'made') throw new Error(made.kind);
        await end(world, { customerId, personId: maker.id }, TESTER);
        const given = { token: made.token, password: NEXT, ...HOME };
        expect(await resetPassword(world, given)).toEqual(INVALID_LINK);
        expect(await createPasswordReset(world, other.id, actor)).toEqual({ kind: 'not-found' });
      }
      expect((await enter('stays@example.com')).kind).toBe('signed-in');
    });

    test('a link to a new password ends when its person changes the password', async () => {
      const person = await addPerson(world, 'a@example.com');
      const made = await createPasswordReset(world, person.id, COMMAND_LINE);
      if (made.kind !== 'made') throw new Error(made.kind);
      await changePassword(world, {
        person,
        current: PASSWORD,
        next: NEXT,
        ...HOME,
      });
      const given = { token: made.token, password: `${NEXT} again`, ...HOME };
      expect(await resetPassword(world, given)).toEqual(INVALID_LINK);
    });

    test('an invitation of an operator belongs to no customer', async () => {
      const customerId = await addCustomer(world, 'A');
      const email = 'x@example.com';
      for (const wrong of [
        { customerId, email, role: 'operator' },
        { customerId: null, email, role: 'owner' },
      ] as const) {
        expect(await invite(world, wrong, COMMAND_LINE)).toMatchObject({ parameter: 'role' });
      }
      const { token } = await invited(null);
      const person = { role: 'operator', customerId: null };
      expect(await accept(token)).toMatchObject({ kind: 'created', person });
    });

    test('a link of one kind does not open another door', async () => {
      const setup = (await createSetupToken(world)) ?? '';
      const { token } = await invited(null);
      expect(await accept(setup)).toEqual(INVALID_LINK);
      expect(await setUp(token)).toEqual(INVALID_LINK);
      const given = { password: PASSWORD, ...HOME };
      expect(await resetPassword(world, { ...given, token })).toEqual(INVALID_LINK);
    });

    test('a reset takes a new password once within the hour and ends every session', async () => {
      const person = await addPerson(world, 'a@example.com');
      const open = await enter('a@example.com');
      if (open.kind !== 'signed-in') throw new Error(open.kind);
      const first = await createPasswordReset(world, person.id, COMMAND_LINE);
      const second = await createPasswordReset(world, person.id, COMMAND_LINE);
      if (first.kind !== 'made' || second.kind !== 'made') throw new Error('not made');
      expect((await enter('a@example.com')).kind).toBe('signed-in');
      const given = { password: NEXT, ...HOME };
      expect(await resetPassword(world, { ...given, token: first.token })).toEqual(INVALID_LINK);
      const bad = { ...given, token: second.token, password: 'a@example.com a@example.com' };
      expect(await resetPassword(world, bad)).toMatchObject(BAD_PASSWORD);
      const right = { ...given, token: second.token };
      expect(await resetPassword(world, right)).toEqual({ kind: 'changed' });
      expect(await resetPassword(world, right)).toEqual(INVALID_LINK);
      expect(await findSession(world, open.token)).toBeNull();
      expect((await enter('a@example.com')).kind).toBe('refused');
      expect((await enter('a@example.com', NEXT)).kind).toBe('signed-in');
      const late = await createPasswordReset(world, person.id, COMMAND_LINE);
      await world.clock.advance(60 * 60_000);
      if (late.kind !== 'made') throw new Error(late.kind);
      expect(await resetPassword(world, { ...given, token: late.token })).toEqual(INVALID_LINK);
    });

    test('who forgot the password signs in with the new one at once', async () => {
      const person = await addPerson(world, 'a@example.com');
      while ((await enter('a@example.com', 'not this one at all')).kind === 'refused');
      expect((await enter('a@example.com')).kind).toBe('too-many');
      const made = await createPasswordReset(world, person.id, COMMAND_LINE);
      if (made.kind !== 'made') throw new Error(made.kind);
      await resetPassword(world, { token: made.token, password: NEXT, ...HOME });
      expect((await enter('a@example.com', NEXT)).kind).toBe('signed-in');
    });

    test('changing the password needs the old one and ends every session but the new', async () => {
      const person = await addPerson(world, 'a@example.com');
      const [one, two] = [await enter('a@example.com'), await enter('a@example.com')];
      if (one.kind !== 'signed-in' || two.kind !== 'signed-in') throw new Error('not signed in');
      const given = { person, current: PASSWORD, next: NEXT, ...HOME };
      const wrong = await changePassword(world, { ...given, current: NEXT });
      expect(wrong).toEqual({ kind: 'refused' });
      const bad = await changePassword(world, { ...given, next: 'passwordpassword' });
      expect(bad).toMatchObject(BAD_PASSWORD);
      const done = await changePassword(world, given);
      if (done.kind !== 'changed') throw new Error(done.kind);
      const open = await Promise.all(
        [one.token, two.token, done.token].map((token) => findSession(world, token)),
      );
      expect(open.map((found) => found !== null)).toEqual([false, false, true]);
    });

    test('who signs up owns the customer they name', async () => {
      const given = {
        email: 'a@example.com',
        password: PASSWORD,
        name: 'A',
        plan: 'free',
        ...HOME,
      };
      const made = await signUp(world, given);
      if (made.kind !== 'created') throw new Error(made.kind);
      expect(made.person).toMatchObject({ email: 'a@example.com', role: 'owner' });
      const customer = await findCustomer(db(), made.person.customerId ?? '');
      expect(customer).toMatchObject({ name: 'A', plan: { name: 'free' } });
      expect((await enter('a@example.com')).kind).toBe('signed-in');
    });

    test('a sign-up that is refused leaves nothing, and tries are counted', async () => {
      const given = {
        email: 'b@example.com',
        password: PASSWORD,
        name: 'B',
        plan: 'free',
        ...HOME,
      };
      await addPerson(world, 'a@example.com', { withPassword: false });
      for (const [parameter, change] of [
        ['email', { email: 'A@example.com' }],
        ['email', { email: 'none' }],
        ['password', { password: 'short' }],
        ['name', { name: ' ' }],
        ['plan', { plan: 'gold' }],
      ] as const) {
        const refused = await signUp(world, { ...given, ...change });
        expect(refused).toMatchObject({ kind: 'invalid', parameter });
      }
      expect(await db().query('select id from customer')).toEqual([]);
      const many = [];
      for (let count = 0; count < 5; count++) many.push(await signUp(world, given));
      expect(many.map(({ kind }) => kind)).toContain('too-many');
      expect(await db().query('select id from customer')).toHaveLength(1);
    });

    test('no token is in the store', async () => {
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
