import { beforeEach, describe, expect, test } from 'vitest';
import {
  accountWorld,
  type AccountWorld,
  addPerson,
  refOf,
  TESTER,
} from '../../../test/support/account-world.ts';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { createSecretCipher } from '../../platform/encryption.ts';
import { listAuditEvents } from '../audit-log.ts';
import { findPerson } from '../people/person-store.ts';
import { checkSecretsKey } from '../encrypted-secrets.ts';
import { fromBase32, totpCode, totpStep } from './totp.ts';
import { countRecoveryCodes, useRecoveryCode } from './recovery-codes.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from './second-factor.ts';
import { verifyCode } from './verify-code.ts';

describe('second factor', () => {
  onEachEngine((db) => {
    let world: AccountWorld;
    let personId: string;
    let ref: ReturnType<typeof refOf>;
    beforeEach(async () => {
      world = accountWorld(db());
      const person = await addPerson(world, 'a@example.com', { withPassword: false });
      personId = person.id;
      ref = refOf(person);
    });
    const codeOf = (secret: string) => totpCode(fromBase32(secret), totpStep(world.clock.now()));
    async function begin(): Promise<string> {
      const begun = await beginSecondFactor(world, { personId, issuer: 'I' });
      if (begun.kind !== 'begun') throw new Error(begun.kind);
      return begun.secret;
    }
    async function confirmed() {
      const secret = await begin();
      const done = await confirmSecondFactor(world, { ...ref, code: codeOf(secret) }, TESTER);
      if (done.kind !== 'confirmed') throw new Error(done.kind);
      return { secret, recoveryCodes: done.recoveryCodes };
    }
    async function verify(code: string) {
      const person = await findPerson(db(), personId);
      if (person === null) throw new Error('the person is gone');
      return db().transaction((tx) => verifyCode(tx, world, person, code));
    }

    test('enables the second factor only after a code has been verified', async () => {
      const secret = await begin();
      expect((await findPerson(db(), personId))?.hasSecondFactor).toBe(false);
      const options = { ...ref, code: '000000' };
      expect(await confirmSecondFactor(world, options, TESTER)).toEqual({ kind: 'wrong-code' });
      const code = codeOf(secret);
      const done = await confirmSecondFactor(world, { ...ref, code }, TESTER);
      expect(done.kind).toBe('confirmed');
      expect((await findPerson(db(), personId))?.hasSecondFactor).toBe(true);
      expect(await beginSecondFactor(world, { personId, issuer: 'I' })).toEqual({ kind: 'exists' });
    });

    test('stores neither the second-factor secret nor recovery codes in readable form', async () => {
      const { secret, recoveryCodes } = await confirmed();
      const rows = await db().query(
        `select person::text as line from person
         union all select encode(hash, 'escape') from recovery_code
         union all select audit_event::text from audit_event`,
      );
      const text = JSON.stringify(rows);
      for (const hidden of [secret, ...recoveryCodes, ...recoveryCodes.map(withoutHyphens)]) {
        expect(text).not.toContain(hidden);
      }
    });

    test('accepts each second-factor code once, including the confirmation code', async () => {
      const { secret } = await confirmed();
      expect(await verify(codeOf(secret))).toBeNull();
      await world.clock.advance(30_000);
      const code = codeOf(secret);
      const both = await Promise.all([verify(code), verify(code)]);
      expect(both.filter((results) => results === 'app')).toHaveLength(1);
      expect(await verify(code)).toBeNull();
    });

    test('provides ten recovery codes that each work once, however they are typed', async () => {
      const { recoveryCodes } = await confirmed();
      expect(new Set(recoveryCodes).size).toBe(10);
      const [first = '', second = ''] = recoveryCodes;
      expect(first).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){5}$/);
      expect(await verify(first.toUpperCase().replaceAll('-', ' '))).toBe('recovery');
      expect(await verify(first)).toBeNull();
      expect(await verify(second)).toBe('recovery');
      expect(await countRecoveryCodes(db(), personId)).toBe(8);
    });

    test('invalidates the old recovery codes when new ones are generated', async () => {
      const { recoveryCodes } = await confirmed();
      const renewed = await renewRecoveryCodes(world, ref, TESTER);
      expect(renewed.kind).toBe('renewed');
      expect(await useRecoveryCode(db(), personId, recoveryCodes[0] ?? '')).toBe(false);
      expect(await countRecoveryCodes(db(), personId)).toBe(10);
    });

    test('deletes the recovery codes together with the second factor', async () => {
      const { secret, recoveryCodes } = await confirmed();
      await removeSecondFactor(world, ref, TESTER);
      await world.clock.advance(60_000);
      expect(await verify(codeOf(secret))).toBeNull();
      expect(await verify(recoveryCodes[0] ?? '')).toBeNull();
      expect((await findPerson(db(), personId))?.hasSecondFactor).toBe(false);
      const [last] = await listAuditEvents(db(), { customerId: null, limit: 1 });
      expect(last).toMatchObject({ action: 'second-factor.remove', subject: personId });
    });

    test('fails in a process with a different secrets key before anything is encrypted', async () => {
      await begin();
      const other = createSecretCipher([world.random.bytes(32)], world.random);
      await expect(checkSecretsKey(db(), other)).rejects.toThrow('set SECRETS_KEY');
      const foreign = beginSecondFactor({ ...world, cipher: other }, { personId, issuer: 'I' });
      await expect(foreign).rejects.toThrow('set SECRETS_KEY');
      await checkSecretsKey(db(), world.cipher);
    });
  });
});

function withoutHyphens(code: string): string {
  return code.replaceAll('-', '');
}
