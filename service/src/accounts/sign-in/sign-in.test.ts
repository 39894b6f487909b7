import { argon2Sync } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  accountWorld,
  type AccountWorld,
  addPerson,
  PASSWORD,
  refOf,
  TESTER,
} from '../../../test/support/account-world.ts';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { listAuditEvents } from '../audit-log.ts';
import { isFresh } from '../permissions.ts';
import { disablePerson } from '../people/people.ts';
import { findPerson, type Person, setPasswordHash } from '../people/person-store.ts';
import { fromBase32, totpCode, totpStep } from '../second-factor/totp.ts';
import { beginSecondFactor, confirmSecondFactor } from '../second-factor/second-factor.ts';
import { findSession, OLD_TOKEN_MS } from '../sessions/sessions.ts';
import { consumeAttempt } from './attempt-limiter.ts';
import { confirmPassword, signIn } from './sign-in.ts';

const HOME = { address: '192.0.2.1', userAgent: 'Browser/1' };
const WRONG = 'seven geese over a lake';

describe('sign-in', () => {
  onEachEngine((db) => {
    let world: AccountWorld;
    let person: Person;
    beforeEach(async () => {
      world = accountWorld(db());
      person = await addPerson(world, 'Ada@Example.com');
    });
    const enter = (input: { email?: string; password?: string; code?: string; address?: string }) =>
      signIn(world, { email: 'ada@example.com', password: PASSWORD, ...HOME, ...input });
    async function addSecondFactor() {
      const begun = await beginSecondFactor(world, { personId: person.id, issuer: 'I' });
      if (begun.kind !== 'begun') throw new Error(begun.kind);
      const codeNow = () => totpCode(fromBase32(begun.secret), totpStep(world.clock.now()));
      const options = { ...refOf(person), code: codeNow() };
      const done = await confirmSecondFactor(world, options, TESTER);
      if (done.kind !== 'confirmed') throw new Error(done.kind);
      await world.clock.advance(30_000);
      return { codeNow, recoveryCodes: done.recoveryCodes };
    }

    test('signs a person in with the correct password, ignoring case in the email address', async () => {
      const done = await enter({ email: ' ADA@example.com ' });
      if (done.kind !== 'signed-in') throw new Error(done.kind);
      expect(done.person).toEqual(person);
      const session = await findSession(world, done.token);
      expect(session).toMatchObject({ person, session: { id: done.session.id, ...HOME } });
      const [last] = await listAuditEvents(db(), { customerId: null, limit: 1 });
      expect(last).toMatchObject({ action: 'session.start', subject: done.session.id });
      expect(last?.actor).toMatchObject({ kind: 'person', id: person.id, address: HOME.address });
    });

    test('does not distinguish a wrong password from an unknown, disabled or passwordless person', async () => {
      await addPerson(world, 'new@example.com', { withPassword: false });
      const disabled = await addPerson(world, 'gone@example.com');
      await disablePerson(world, { customerId: null, personId: disabled.id }, TESTER);
      const results = [
        await enter({ password: WRONG }),
        await enter({ email: 'nobody@example.com' }),
        await enter({ email: 'gone@example.com' }),
        await enter({ email: 'new@example.com' }),
        await enter({ email: 'no address' }),
        await enter({ email: '' }),
      ];
      expect(results).toEqual(results.map(() => ({ kind: 'refused' })));
    });

    test('logs failed sign-ins with the person and address, but without the input', async () => {
      await enter({ password: WRONG });
      await enter({ email: 'nobody@example.com', password: WRONG });
      expect(world.log.entries.map(({ fields }) => fields)).toEqual([
        { event: 'sign_in.rejected', person: person.id, address: HOME.address },
        { event: 'sign_in.rejected', person: null, address: HOME.address },
      ]);
      expect(JSON.stringify(world.log.entries)).not.toMatch(/geese|nobody/);
    });

    test('rejects even the correct password after five failed sign-ins and reports how long to wait', async () => {
      for (let count = 0; count < 5; count++) await enter({ password: WRONG });
      expect(await enter({})).toEqual({ kind: 'too-many', retryAfterSeconds: 180 });
      await world.clock.advance(180_000);
      expect((await enter({})).kind).toBe('signed-in');
      expect((await enter({})).kind).toBe('signed-in');
    });

    test('does not lock the owner out at known addresses during an attack from other addresses', async () => {
      await enter({});
      for (let at = 0; at < 31; at++) {
        const from = { address: `198.51.100.${at}`, isKnownAddress: false };
        await consumeAttempt(db(), { emailKey: 'ada@example.com', ...from }, world.clock.now());
      }
      expect((await enter({ address: '198.51.100.99' })).kind).toBe('too-many');
      expect((await enter({})).kind).toBe('signed-in');
    });

    test('requires a code from a person with a second factor, and accepts each code once', async () => {
      const { codeNow, recoveryCodes } = await addSecondFactor();
      expect(await enter({})).toEqual({ kind: 'code-required' });
      expect(await enter({ password: WRONG, code: codeNow() })).toEqual({ kind: 'refused' });
      expect(await enter({ code: '000000' })).toEqual({ kind: 'refused' });
      const code = codeNow();
      expect((await enter({ code })).kind).toBe('signed-in');
      expect(await enter({ code })).toEqual({ kind: 'refused' });
      const recovery = recoveryCodes[3] ?? '';
      expect((await enter({ code: recovery })).kind).toBe('signed-in');
      expect(await enter({ code: recovery })).toEqual({ kind: 'refused' });
    });

    test('limits sign-in attempts with second-factor codes', async () => {
      await addSecondFactor();
      const kinds = [];
      for (let at = 0; at < 7; at++) kinds.push((await enter({ code: `00000${at}` })).kind);
      expect(kinds).toEqual([...Array<string>(5).fill('refused'), 'too-many', 'too-many']);
    });

    test('replaces a password hash that has weaker parameters', async () => {
      const nonce = Buffer.alloc(16, 1);
      const weak = { parallelism: 1, tagLength: 32, memory: 8_192, passes: 1 };
      const tag = argon2Sync('argon2id', { message: PASSWORD, nonce, ...weak });
      const [salt, text] = [nonce, tag].map((bytes) =>
        bytes.toString('base64').replaceAll('=', ''),
      );
      await setPasswordHash(db(), person.id, `$argon2id$v=19$m=8192,t=1,p=1$${salt}$${text}`);
      expect((await enter({})).kind).toBe('signed-in');
      expect((await findPerson(db(), person.id))?.passwordHash).toContain('m=19456,t=2,p=1');
      expect((await enter({})).kind).toBe('signed-in');
    });

    test('treats a password as fresh for ten minutes after it is confirmed, and rejects a wrong password', async () => {
      const done = await enter({});
      if (done.kind !== 'signed-in') throw new Error(done.kind);
      let { token } = done;
      const isFreshNow = async () => {
        const session = await findSession(world, token);
        return session !== null && isFresh(session.session.passwordAt, world.clock.now());
      };
      const input = { person, session: done.session, address: HOME.address };
      expect(await isFreshNow()).toBe(true);
      await world.clock.advance(10 * 60_000);
      expect(await isFreshNow()).toBe(false);
      const refused = await confirmPassword(world, { ...input, password: WRONG });
      expect([refused.kind, await isFreshNow()]).toEqual(['refused', false]);
      const confirmed = await confirmPassword(world, { ...input, password: PASSWORD });
      if (confirmed.kind !== 'confirmed') throw new Error(confirmed.kind);
      expect(await isFreshNow()).toBe(false);
      token = confirmed.token;
      expect(await isFreshNow()).toBe(true);
      // The old token works for the requests that are already on their way.
      await world.clock.advance(OLD_TOKEN_MS);
      expect(await findSession(world, done.token)).toBeNull();
      expect(await isFreshNow()).toBe(true);
    });
  });
});
