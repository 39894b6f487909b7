import { EventEmitter } from 'node:events';
import type { TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { TLS_SESSION_AGE_MS_MAX } from './limits.ts';
import { TlsSessions } from './tls-sessions.ts';

const ORIGIN = 'https://hooks.example.com';

/** Lets a receiver issue a session over a full or a resumed handshake. */
function issue(sessions: TlsSessions, session: string, isResumed: boolean): void {
  const socket = Object.assign(new EventEmitter(), { isSessionReused: () => isResumed });
  sessions.watch(ORIGIN, socket as unknown as TLSSocket);
  socket.emit('session', Buffer.from(session));
}

test('stores no session of a resumed handshake, so that the certificate is verified every hour', async () => {
  const clock = fakeClock(0);
  const sessions = new TlsSessions(clock);
  issue(sessions, 'verified', false);
  await clock.advance(TLS_SESSION_AGE_MS_MAX - 1);
  issue(sessions, 'resumed', true);
  expect(sessions.get(ORIGIN)?.toString()).toBe('verified');
  await clock.advance(1);
  expect(sessions.get(ORIGIN)).toBeUndefined();
});
