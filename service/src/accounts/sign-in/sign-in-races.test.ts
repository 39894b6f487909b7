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
import { forward } from '../../storage/forward.ts';
import { COMMAND_LINE } from '../audit-log.ts';
import { changePassword } from '../people/change-password.ts';
import { createPasswordReset, resetPassword } from '../people/password-reset.ts';
import { disablePerson } from '../people/people.ts';
import type { Person } from '../people/person-store.ts';
import { fromBase32, totpCode, totpStep } from '../second-factor/totp.ts';
import { beginSecondFactor, confirmSecondFactor } from '../second-factor/second-factor.ts';
import { confirmPassword, signIn } from './sign-in.ts';

const HOME = { address: '192.0.2.1', userAgent: null };
const NEXT = 'nine herons in the fog';

describe('account changes during the password check', () => {
  onEachEngine((db) => {
    let world: AccountWorld;
    let person: Person;
    beforeEach(async () => {
      world = accountWorld(db());
      // Adds another operator, so that the first one may be removed.
      await addPerson(world, 'stays@example.com');
      person = await addPerson(world, 'ada@example.com');
    });

    /** Returns a world in which `happens` runs between the password check and the sign-in. */
    function duringCheck(happens: () => Promise<unknown>): AccountWorld {
      const inner = db();
      let transactions = 0;
      const wrapped = forward(inner, {
        async transaction(...args) {
          transactions += 1;
          // The first transaction consumes the attempt; the second one signs the person in.
          if (transactions === 2) await happens();
          return inner.transaction(...args);
        },
      });
      return { ...world, db: wrapped };
    }

    async function reset(): Promise<void> {
      const creation = await createPasswordReset(world, refOf(person), COMMAND_LINE);
      if (creation.kind !== 'made') throw new Error(creation.kind);
      await resetPassword(world, { token: creation.token, password: NEXT, ...HOME });
    }

    async function addSecondFactor(): Promise<void> {
      const begun = await beginSecondFactor(world, { personId: person.id, issuer: 'I' });
      if (begun.kind !== 'begun') throw new Error(begun.kind);
      const code = totpCode(fromBase32(begun.secret), totpStep(world.clock.now()));
      await confirmSecondFactor(world, { ...refOf(person), code }, TESTER);
    }

    const disable = () => disablePerson(world, { customerId: null, personId: person.id }, TESTER);
    const input = { email: 'ada@example.com', password: PASSWORD, ...HOME };

    test.each([
      ['the password is reset', reset],
      ['the person is disabled', disable],
      ['a second factor is added', addSecondFactor],
    ])('creates no session if %s during sign-in', async (_what, happens) => {
      expect(await signIn(duringCheck(happens), input)).toEqual({ kind: 'refused' });
      expect(await db().query('select id from session')).toEqual([]);
    });

    test('rejects a password confirmation or change if the password is reset in the meantime', async () => {
      const entered = await signIn(world, input);
      if (entered.kind !== 'signed-in') throw new Error(entered.kind);
      const ownSession = { person, session: entered.session, ...HOME };
      const confirmed = await confirmPassword(duringCheck(reset), {
        ...ownSession,
        password: PASSWORD,
      });
      expect(confirmed).toEqual({ kind: 'refused' });
      const changed = await changePassword(duringCheck(reset), {
        ...ownSession,
        current: NEXT,
        next: 'ten larks above a mill',
      });
      expect(changed).toEqual({ kind: 'refused' });
      expect((await signIn(world, { ...input, password: NEXT })).kind).toBe('signed-in');
    });
  });
});
