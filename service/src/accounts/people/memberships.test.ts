import { beforeEach, describe, expect, test } from 'vitest';
import {
  accountWorld,
  type AccountWorld,
  addCustomer,
  addKey,
  addPerson,
  PASSWORD,
  refOf,
  TESTER,
} from '../../../test/support/account-world.ts';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { COMMAND_LINE, listAuditEvents } from '../audit-log.ts';
import { deleteCustomer } from '../customers/delete-customer.ts';
import type { Role } from '../permissions.ts';
import { fromBase32, totpCode, totpStep } from '../second-factor/totp.ts';
import { beginSecondFactor, confirmSecondFactor } from '../second-factor/second-factor.ts';
import { findSession, switchSession } from '../sessions/sessions.ts';
import { consumeAccountAttempt } from '../sign-in/attempt-limiter.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { changePassword } from './change-password.ts';
import { acceptInvitation, invite, joinByInvitation } from './invitations.ts';
import { listMemberships } from './membership-store.ts';
import { createPasswordReset, resetPassword } from './password-reset.ts';
import { changePerson, createPerson, disablePerson, removePerson } from './people.ts';
import { findPerson, listPeople, type Person } from './person-store.ts';
import { signUp } from './sign-up.ts';

const EMAIL = 'ada@example.com';
const NEXT = 'nine herons in the fog';
const HOME = { address: '192.0.2.1', userAgent: null };
const IN_USE = { kind: 'invalid', parameter: 'password' };

describe('memberships', () => {
  onEachEngine((db) => {
    let world: AccountWorld;
    let alpha: string;
    let beta: string;
    beforeEach(async () => {
      world = accountWorld(db());
      alpha = await addCustomer(world, 'Alpha');
      beta = await addCustomer(world, 'Beta');
    });
    async function invited(customerId: string | null, email = EMAIL, role: Role = 'member') {
      const outcome = await invite(world, { customerId, email, role }, COMMAND_LINE);
      if (outcome.kind !== 'invited') throw new Error(JSON.stringify(outcome));
      return outcome.token;
    }
    const accept = (token: string, password: string) =>
      acceptInvitation(world, { token, password, ...HOME });
    const enter = (password: string, more: { code?: string; address?: string } = {}) =>
      signIn(world, { email: EMAIL, password, ...HOME, ...more });
    async function entered(password: string, code?: string) {
      const outcome = await enter(password, code === undefined ? {} : { code });
      if (outcome.kind !== 'signed-in') throw new Error(outcome.kind);
      return outcome;
    }
    const join = (token: string, signedIn: Awaited<ReturnType<typeof entered>>) =>
      joinByInvitation(world, { ...signedIn, token }, TESTER);
    const shownIn = async (token: string) => (await findSession(world, token))?.person.customerId;
    /** Adds Ada to both customers with one account, which shows Beta. */
    async function addToBoth(): Promise<Person> {
      const person = await addPerson(world, EMAIL, { role: 'member', customerId: alpha });
      await world.clock.advance(1_000);
      await join(await invited(beta), await entered(PASSWORD));
      return person;
    }

    test('adds a customer to the account of a person who accepts by signing in, second factor included', async () => {
      const person = await addPerson(world, EMAIL, { role: 'owner', customerId: alpha });
      const begun = await beginSecondFactor(world, { personId: person.id, issuer: 'I' });
      if (begun.kind !== 'begun') throw new Error(begun.kind);
      const codeNow = () => totpCode(fromBase32(begun.secret), totpStep(world.clock.now()));
      await confirmSecondFactor(world, { ...refOf(person), code: codeNow() }, TESTER);
      await world.clock.advance(30_000);
      const token = await invited(beta, ' ADA@Example.com ');
      expect(await enter(PASSWORD)).toEqual({ kind: 'code-required' });
      const signedIn = await entered(PASSWORD, codeNow());
      expect(await join(token, signedIn)).toEqual({ kind: 'joined' });
      expect(await findSession(world, signedIn.token)).toMatchObject({
        person: { id: person.id, customerId: beta, role: 'member', hasSecondFactor: true },
        session: { id: signedIn.session.id, customerId: beta },
      });
      expect(await listMemberships(db(), person.id)).toEqual([
        { customerId: alpha, customerName: 'Alpha', role: 'owner' },
        { customerId: beta, customerName: 'Beta', role: 'member' },
      ]);
      expect(await join(token, signedIn)).toEqual({ kind: 'invalid-link' });
      const events = await listAuditEvents(db(), { customerId: beta, limit: 2 });
      expect(events.map(({ action }) => action)).toEqual(['session.switch', 'person.join']);
    });

    test('lets only the invited address join, and keeps the link for it', async () => {
      await addPerson(world, EMAIL, { role: 'member', customerId: alpha });
      const signedIn = await entered(PASSWORD);
      const token = await invited(beta, 'bo@example.com');
      expect(await join(token, signedIn)).toEqual({
        kind: 'other-address',
        email: 'bo@example.com',
      });
      expect(await join('guess', signedIn)).toEqual({ kind: 'invalid-link' });
      expect(await listMemberships(db(), signedIn.person.id)).toHaveLength(1);
      expect((await accept(token, NEXT)).kind).toBe('created');
    });

    test('answers invitations and sign-ups for taken and free addresses alike, with an account of their own', async () => {
      const taken = await addPerson(world, EMAIL, { role: 'owner', customerId: beta });
      const outcomes = [];
      for (const [name, email] of [
        ['free', 'free@example.com'],
        ['taken', EMAIL],
      ] as const) {
        const accepted = await accept(await invited(alpha, email), NEXT);
        const input = { name, email, password: `${NEXT} again`, plan: 'free', ...HOME };
        const signedUp = await signUp(world, input);
        if (accepted.kind !== 'created' || signedUp.kind !== 'created') throw new Error(name);
        expect(accepted.person).toMatchObject({ email, customerId: alpha });
        outcomes.push([Object.keys(accepted), Object.keys(signedUp)]);
        expect([taken.id, signedUp.person.id]).not.toContain(accepted.person.id);
        expect(await listMemberships(db(), accepted.person.id)).toHaveLength(1);
      }
      expect(outcomes[1]).toEqual(outcomes[0]);
      // Each password opens its own account, and nothing else.
      expect((await entered(PASSWORD)).person).toMatchObject({ id: taken.id, customerId: beta });
      expect((await entered(NEXT)).person).toMatchObject({ customerId: alpha });
      expect((await enter(`${NEXT} wrong`)).kind).toBe('refused');
    });

    test('leaves an address free for its owner after a stranger has registered it', async () => {
      await accept(await invited(alpha), NEXT);
      const joined = await accept(await invited(beta), PASSWORD);
      expect(joined).toMatchObject({ kind: 'created', person: { customerId: beta } });
      const created = await createPerson(
        world,
        { customerId: null, email: EMAIL, role: 'operator' },
        TESTER,
      );
      expect(created.kind).toBe('created');
      expect((await entered(PASSWORD)).person.customerId).toBe(beta);
    });

    test('rejects a password that another account with the address has, as long as attempts are left', async () => {
      const own = await addPerson(world, EMAIL, { role: 'member', customerId: alpha });
      const token = await invited(beta);
      expect(await accept(token, PASSWORD)).toMatchObject(IN_USE);
      expect((await accept(token, NEXT)).kind).toBe('created');
      const twin = (await entered(NEXT)).person;
      const change = { person: twin, current: NEXT, next: PASSWORD, ...HOME };
      expect(await changePassword(world, change)).toMatchObject(IN_USE);
      const sign = { name: 'C', email: EMAIL, password: PASSWORD, plan: 'free', ...HOME };
      expect(await signUp(world, sign)).toMatchObject(IN_USE);
      const link = await createPasswordReset(world, refOf(twin), COMMAND_LINE);
      if (link.kind !== 'made') throw new Error(link.kind);
      const reset = { token: link.token, password: PASSWORD, ...HOME };
      expect(await resetPassword(world, reset)).toMatchObject(IN_USE);
      while (await consumeAccountAttempt(db(), EMAIL, world.clock.now()));
      // Now it could be a guess, so nothing is compared.
      expect(await resetPassword(world, reset)).toEqual({ kind: 'changed' });
      expect((await findPerson(db(), own.id))?.hasPassword).toBe(true);
    });

    test('admits each of two accounts at its own known addresses only, during an attack', async () => {
      await addPerson(world, EMAIL, { role: 'member', customerId: beta });
      await accept(await invited(alpha), NEXT);
      const [there, elsewhere] = [{ address: '203.0.113.1' }, { address: '203.0.113.2' }];
      expect((await enter(PASSWORD, there)).kind).toBe('signed-in');
      while (await consumeAccountAttempt(db(), EMAIL, world.clock.now()));
      expect((await enter(PASSWORD, there)).kind).toBe('signed-in');
      // This address is known to the other account.
      expect((await enter(PASSWORD)).kind).toBe('refused');
      expect((await enter(NEXT)).kind).toBe('signed-in');
      expect((await enter(NEXT, elsewhere)).kind).toBe('too-many');
    });

    test('does not invite a member again', async () => {
      await addPerson(world, EMAIL, { role: 'member', customerId: alpha });
      const again = { customerId: alpha, email: 'Ada@example.com', role: 'owner' } as const;
      expect(await invite(world, again, TESTER)).toMatchObject({ parameter: 'email' });
      const [first, second] = [await invited(beta), await invited(beta)];
      expect((await accept(first, NEXT)).kind).toBe('created');
      expect(await accept(second, `${NEXT} again`)).toMatchObject({ parameter: 'email' });
      expect(await listPeople(db(), beta)).toHaveLength(1);
    });

    test('removes a member from one customer and leaves the other', async () => {
      const { id: personId } = await addToBoth();
      await db().query(`update api_key set created_by_person = $1 where id = any($2::text[])`, [
        personId,
        [(await addKey(world, alpha)).id, (await addKey(world, beta)).id],
      ]);
      const session = await entered(PASSWORD);
      expect(await shownIn(session.token)).toBe(beta);
      const removed = await removePerson(
        world,
        { personId, customerId: beta, revokeKeys: true },
        TESTER,
      );
      expect(removed).toMatchObject({ kind: 'changed', keys: [{ customerId: beta }] });
      expect(await shownIn(session.token)).toBeUndefined();
      expect((await entered(PASSWORD)).person).toMatchObject({ id: personId, customerId: alpha });
      const left = await db().query(
        'select customer_id from api_key where revoked_at is null and created_by_person = $1',
        [personId],
      );
      expect(left).toEqual([{ customer_id: alpha }]);
      await removePerson(world, { personId, customerId: alpha }, TESTER);
      expect(await db().query('select id from person')).toEqual([]);
      expect((await enter(PASSWORD)).kind).toBe('refused');
    });

    test('disables and changes a member for one customer only', async () => {
      const { id: personId } = await addToBoth();
      const inBeta = { personId, customerId: beta };
      const session = await entered(PASSWORD);
      await changePerson(world, { ...inBeta, role: 'owner' }, TESTER);
      expect((await findPerson(db(), personId, alpha))?.role).toBe('member');
      expect((await findSession(world, session.token))?.person.role).toBe('owner');
      await addPerson(world, 'bo@example.com', { role: 'owner', customerId: beta });
      await disablePerson(world, inBeta, TESTER);
      expect(await findSession(world, session.token)).toBeNull();
      const again = await entered(PASSWORD);
      expect(again.person.customerId).toBe(alpha);
      const back = { ...inBeta, sessionId: again.session.id };
      expect(await switchSession(world, back, TESTER)).toEqual({ kind: 'not-found' });
      await disablePerson(world, { personId, customerId: alpha }, TESTER);
      expect((await enter(PASSWORD)).kind).toBe('refused');
    });

    test('shows in a session only customers of the person, and opens the last one at sign-in', async () => {
      const { id: personId } = await addToBoth();
      const gamma = await addCustomer(world, 'Gamma');
      const { token, session } = await entered(PASSWORD);
      const change = (customerId: string | null) =>
        switchSession(world, { personId, customerId, sessionId: session.id }, TESTER);
      await world.clock.advance(1_000);
      expect(await change(alpha)).toEqual({ kind: 'switched' });
      expect(await shownIn(token)).toBe(alpha);
      for (const foreign of [gamma, null]) {
        expect(await change(foreign)).toEqual({ kind: 'not-found' });
      }
      expect((await entered(PASSWORD)).person.customerId).toBe(alpha);
    });

    test('lets an operator belong to a customer too, with the role of each', async () => {
      await addPerson(world, 'stays@example.com');
      const operator = await addPerson(world, EMAIL);
      const ref = { personId: operator.id, customerId: alpha };
      const signedIn = await entered(PASSWORD);
      await join(await invited(alpha), signedIn);
      expect((await findSession(world, signedIn.token))?.person.role).toBe('member');
      const link = { customerId: beta, email: 'bo@example.com', role: 'member' } as const;
      const actor = { ...TESTER, id: operator.id };
      expect((await invite(world, link, actor)).kind).toBe('invited');
      await removePerson(world, { ...ref, customerId: null }, TESTER);
      expect(await invite(world, { ...link, email: 'c@example.com' }, actor)).toMatchObject({
        kind: 'invalid',
      });
      expect((await findPerson(db(), operator.id))?.customerId).toBe(alpha);
    });

    test('keeps people of other customers when a customer is deleted', async () => {
      const { id } = await addToBoth();
      await addPerson(world, 'bo@example.com', { role: 'member', customerId: beta });
      await deleteCustomer(world, beta, TESTER);
      expect(await db().query('select id from person')).toEqual([{ id }]);
      expect((await entered(PASSWORD)).person.customerId).toBe(alpha);
    });
  });
});
