import { expect, test } from 'vitest';

import { serializeCookie } from './session-cookie.ts';

test('gives a session cookie a lifetime that does not depend on the clock of the browser', () => {
  const now = Date.parse('2026-11-18T15:00:00Z');
  const cookie = serializeCookie({ set: 'token', expiresAt: now + 604_800_000 }, now);
  expect(cookie).toEqual({ value: 'token', lifetime: { maxAge: 604_800 } });
});

test('gives the cookie of an expired session no lifetime', () => {
  const now = Date.parse('2026-11-18T15:00:00Z');
  expect(serializeCookie({ set: 'token', expiresAt: now - 1 }, now).lifetime.maxAge).toBe(0);
  expect(serializeCookie('clear', now)).toMatchObject({ value: '', lifetime: { maxAge: 0 } });
});
