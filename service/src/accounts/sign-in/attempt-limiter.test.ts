import { beforeEach, describe, expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import {
  type Attempt,
  resetAfterSuccess,
  refundAddressAttempt,
  consumeCodeAttempt,
  consumeAttempt,
} from './attempt-limiter.ts';

const MINUTE_MS = 60_000;

describe('sign-in attempt limiter', () => {
  onEachEngine((db) => {
    let now: number;
    beforeEach(() => {
      now = Date.UTC(2026, 10, 20, 15);
    });
    const attempt = (emailKey: string, address: string, isKnownAddress = false) => ({
      emailKey,
      personId: `per ${emailKey}`,
      address,
      isKnownAddress,
    });
    const isAdmitted = async (item: Attempt) =>
      'isForEveryone' in (await consumeAttempt(db(), item, now));
    /** Returns how many of `count` attempts are admitted. */
    async function admitted(count: number, attemptAt: (at: number) => ReturnType<typeof attempt>) {
      let total = 0;
      for (let at = 0; at < count; at++) {
        if (await isAdmitted(attemptAt(at))) total += 1;
      }
      return total;
    }

    test('limits sign-in attempts to five per account and address, then allows one every three minutes', async () => {
      const attempts = () => attempt('a@example.com', '192.0.2.1');
      expect(await admitted(9, attempts)).toBe(5);
      const refused = await consumeAttempt(db(), attempts(), now);
      expect(refused).toEqual({ retryAfterMs: 3 * MINUTE_MS });
      now += 3 * MINUTE_MS;
      expect(await admitted(3, attempts)).toBe(1);
    });

    test('limits sign-in attempts to twenty per address across all accounts', async () => {
      expect(await admitted(30, (at) => attempt(`${at}@example.com`, '192.0.2.1'))).toBe(20);
    });

    test('counts sign-in attempts per IPv6 network', async () => {
      const attemptAt = (at: number) => attempt(`${at}@example.com`, `2001:db8:1:2:${at}::1`);
      expect(await admitted(30, attemptAt)).toBe(20);
      expect(await isAdmitted(attempt('x@example.com', '2001:db8:1:3::1'))).toBe(true);
    });

    test('limits sign-in attempts to thirty per account across addresses, but not from an address the owner has used', async () => {
      const attemptAt = (at: number) => attempt('a@example.com', `198.51.100.${at}`);
      expect(await admitted(60, attemptAt)).toBe(30);
      expect(await isAdmitted(attempt('a@example.com', '192.0.2.1'))).toBe(false);
      const known = attempt('a@example.com', '192.0.2.2', true);
      expect(await consumeAttempt(db(), known, now)).toEqual({ isForEveryone: false });
    });

    test('counts every concurrent sign-in attempt', async () => {
      const attempts = attempt('a@example.com', '192.0.2.1');
      const results = await Promise.all(Array.from({ length: 12 }, () => isAdmitted(attempts)));
      expect(results.filter(Boolean)).toHaveLength(5);
    });

    test('still admits other accounts from an address after refusing attempts on one account', async () => {
      expect(await admitted(60, () => attempt('a@example.com', '192.0.2.1'))).toBe(5);
      expect(await admitted(20, (at) => attempt(`${at}@example.com`, '192.0.2.1'))).toBe(15);
    });

    test('neither deadlocks nor loses concurrent attempts on many accounts and addresses', async () => {
      const attempts = Array.from({ length: 40 }, (_, at) =>
        attempt(`${at % 3}@example.com`, `192.0.2.${at % 2}`),
      );
      const results = await Promise.all(attempts.map(isAdmitted));
      expect(results.filter(Boolean)).toHaveLength(30);
    });

    test('still counts an attempt for the account after it is refunded for the address', async () => {
      const attemptAt = (at: number) => attempt(`${at}@example.com`, '192.0.2.1');
      for (let at = 0; at < 30; at++) {
        expect(await isAdmitted(attemptAt(at))).toBe(true);
        await refundAddressAttempt(db(), attemptAt(at));
      }
      expect(await admitted(5, () => attemptAt(0))).toBe(4);
    });

    /** Returns how many of `count` second-factor codes are admitted. */
    async function admittedCodes(
      count: number,
      attemptAt: (at: number) => ReturnType<typeof attempt>,
      code = { isRecovery: false },
    ) {
      let total = 0;
      for (let at = 0; at < count; at++) {
        if ((await consumeCodeAttempt(db(), attemptAt(at), code, now)) === null) total += 1;
      }
      return total;
    }

    test('limits second-factor codes to five per account and address, then allows one every five minutes', async () => {
      const attempts = () => attempt('a@example.com', '192.0.2.1', true);
      expect(await admittedCodes(9, attempts)).toBe(5);
      now += 5 * MINUTE_MS;
      expect(await admittedCodes(3, attempts)).toBe(1);
      await db().transaction((tx) => resetAfterSuccess(tx, { ...attempts(), isForEveryone: true }));
      expect(await admittedCodes(1, attempts)).toBe(1);
    });

    test('limits second-factor codes to ten per account across addresses, but not the owner at a known one', async () => {
      const guesses = (at: number) => attempt('a@example.com', `198.51.100.${at}`);
      expect(await admittedCodes(40, guesses)).toBe(10);
      const [elsewhere, atHome] = [
        attempt('a@example.com', '192.0.2.1'),
        attempt('a@example.com', '192.0.2.2', true),
      ];
      expect(await admittedCodes(1, () => elsewhere)).toBe(0);
      expect(await admittedCodes(1, () => atHome)).toBe(1);
    });

    test('admits a recovery code from any address while six-digit codes are refused', async () => {
      const guesses = (at: number) => attempt('a@example.com', `198.51.100.${at}`);
      await admittedCodes(40, guesses);
      const elsewhere = attempt('a@example.com', '192.0.2.1');
      expect(await admittedCodes(9, () => elsewhere, { isRecovery: true })).toBe(5);
    });

    async function succeed(of: ReturnType<typeof attempt>): Promise<void> {
      const admission = await consumeAttempt(db(), of, now);
      if ('retryAfterMs' in admission) throw new Error('refused');
      await db().transaction((tx) => resetAfterSuccess(tx, { ...of, ...admission }));
    }

    test('does not count successful sign-in attempts', async () => {
      const attempts = attempt('a@example.com', '192.0.2.1');
      for (let count = 0; count < 30; count++) {
        expect(await isAdmitted(attempts)).toBe(true);
        await db().transaction((tx) => resetAfterSuccess(tx, { ...attempts, isForEveryone: true }));
      }
    });

    test('does not count a successful sign-in as a refund of guesses at the account', async () => {
      const guess = (at: number) => attempt('a@example.com', `198.51.100.${at}`);
      // Someone with an account of their own at the same email address guesses and signs in by turns.
      expect(await admitted(28, guess)).toBe(28);
      for (let count = 0; count < 5; count++)
        await succeed(attempt('a@example.com', '192.0.2.1', true));
      expect(await admitted(9, guess)).toBe(2);
      // Nor if the account had no attempts left for everyone.
      for (let count = 0; count < 5; count++)
        await succeed(attempt('a@example.com', '192.0.2.1', true));
      expect(await admitted(9, (at) => guess(at + 50))).toBe(0);
    });

    test('deletes the rows for sign-in attempts once their limits have recovered', async () => {
      await admitted(40, (at) => attempt(`${at}@example.com`, `198.51.100.${at}`));
      now += 60 * MINUTE_MS;
      await consumeAttempt(db(), attempt('b@example.com', '192.0.2.9'), now);
      expect(await db().query('select bucket from sign_in_allowance')).toHaveLength(3);
    });

    test('stores sign-in attempts without addresses or names', async () => {
      await consumeAttempt(db(), attempt('secret-typed-here', '192.0.2.1'), now);
      const rows = await db().query('select bucket from sign_in_allowance');
      expect(JSON.stringify(rows)).not.toMatch(/secret|192\.0/);
    });
  });
});
