import { beforeEach, describe, expect, test } from 'vitest';
import {
  accountWorld,
  type AccountWorld,
  addPerson,
  refOf,
  TESTER,
} from '../../../test/support/account-world.ts';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { disablePerson, enablePerson } from '../people/people.ts';
import {
  endAllSessions,
  endSession,
  findSession,
  listSessions,
  SESSION_IDLE_MS,
  SESSION_MS,
  SESSIONS_MAX,
  startSession,
} from './sessions.ts';

describe('sessions', () => {
  onEachEngine((db) => {
    let world: AccountWorld;
    let personId: string;
    beforeEach(async () => {
      world = accountWorld(db());
      ({ id: personId } = await addPerson(world, 'a@example.com', { withPassword: false }));
    });
    const start = (userAgent: string | null = null) =>
      db().transaction((tx) =>
        startSession(
          tx,
          world,
          { id: personId, customerId: null },
          { address: '192.0.2.1', userAgent },
        ),
      );
    const isOpen = async (token: string) => (await findSession(world, token)) !== null;

    test('uses session tokens of at least 128 random bits and does not store them', async () => {
      const { token } = await start();
      expect(Buffer.from(token, 'base64url').length).toBeGreaterThanOrEqual(16);
      const rows = await db().query(
        "select session::text || encode(token_hash, 'escape') as line from session",
      );
      expect(JSON.stringify(rows)).not.toContain(token);
      expect(await isOpen(token)).toBe(true);
      expect(await isOpen(`${token}x`)).toBe(false);
      expect(await isOpen('')).toBe(false);
    });

    test('ends a session after twelve idle hours', async () => {
      const [activeToken, unused] = [await start(), await start()];
      await world.clock.advance(SESSION_IDLE_MS - 1);
      expect(await isOpen(activeToken.token)).toBe(true);
      await world.clock.advance(1);
      expect([await isOpen(activeToken.token), await isOpen(unused.token)]).toEqual([true, false]);
    });

    test('ends a session after at most seven days', async () => {
      const { token } = await start();
      for (let passed = 0; passed < SESSION_MS; passed += SESSION_IDLE_MS / 2) {
        expect(await isOpen(token)).toBe(true);
        await world.clock.advance(SESSION_IDLE_MS / 2);
      }
      expect(await isOpen(token)).toBe(false);
    });

    test('lets a person list their sessions and end one or all of them', async () => {
      const [first, second, third] = [await start('A'), await start('B'), await start('C')];
      const agents = async () =>
        (await listSessions(world, personId)).map(({ userAgent }) => userAgent ?? '').sort();
      expect(await agents()).toEqual(['A', 'B', 'C']);
      const options = { personId, customerId: null, sessionId: first.session.id };
      expect(await endSession(world, options, TESTER)).toEqual({ kind: 'ended' });
      expect(await endSession(world, options, TESTER)).toEqual({ kind: 'not-found' });
      expect([await isOpen(first.token), await agents()]).toEqual([false, ['B', 'C']]);
      const sessions = await endAllSessions(world, { personId, customerId: null }, TESTER);
      expect(sessions).toEqual({ kind: 'ended', count: 2 });
      expect([await isOpen(second.token), await isOpen(third.token)]).toEqual([false, false]);
    });

    test('does not let another person end a session', async () => {
      const { session, token } = await start();
      const other = await addPerson(world, 'b@example.com', { withPassword: false });
      const options = { ...refOf(other), sessionId: session.id };
      expect(await endSession(world, options, TESTER)).toEqual({ kind: 'not-found' });
      expect(await isOpen(token)).toBe(true);
    });

    test('ends all sessions when the person is disabled, even if the person is enabled again', async () => {
      await addPerson(world, 'b@example.com', { withPassword: false });
      const { token } = await start();
      await disablePerson(world, { customerId: null, personId }, TESTER);
      expect(await isOpen(token)).toBe(false);
      await enablePerson(world, { customerId: null, personId }, TESTER);
      expect(await isOpen(token)).toBe(false);
    });

    test('ends the least recently used session of a person who has too many', async () => {
      const sessions: Awaited<ReturnType<typeof start>>[] = [];
      for (let count = 0; count < SESSIONS_MAX; count++) {
        sessions.push(await start());
        await world.clock.advance(60_000);
      }
      const [first, second] = sessions.map(({ token }) => token);
      expect(await isOpen(first ?? '')).toBe(true);
      const newest = await start();
      expect([await isOpen(first ?? ''), await isOpen(second ?? '')]).toEqual([true, false]);
      expect(await isOpen(newest.token)).toBe(true);
      expect(await listSessions(world, personId)).toHaveLength(SESSIONS_MAX);
    });

    test('deletes expired sessions when a new session starts', async () => {
      await start();
      await world.clock.advance(SESSION_MS + 1);
      await start();
      expect(await db().query('select id from session')).toHaveLength(1);
    });
  });
});
