import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Management,
  PASSWORD,
  startManagement,
} from '../../../test/support/management-server.ts';
import { memoryStore } from '../../../test/support/stores.ts';
import { FRESH_MS } from '../../accounts/permissions.ts';
import type { Db } from '../../storage/db.ts';

let db: Db;
let management: Management;
let customerId: string;
beforeAll(async () => {
  db = await memoryStore();
  management = await startManagement(db);
  customerId = await management.customer('Heron Research');
});
afterAll(async () => {
  await management.stop();
  await db.close();
});

async function statusOf(headers: Record<string, string>): Promise<number> {
  return (await management.call('GET', '/account/v1/session', { headers })).status;
}

function signIn(email: string, headers: Record<string, string>) {
  const body = { email, password: PASSWORD };
  return management.call('POST', '/account/v1/sign-in', { headers, body });
}

test('ends the old session of a browser that signs in again, even as another person', async () => {
  const [first, second] = [
    await management.person('owner', customerId),
    await management.person('member', customerId),
  ];
  const { origin } = first.headers;
  const other = management.browserOf(await signIn(first.email, { origin }));
  const signedIn = await signIn(second.email, first.headers);
  expect(signedIn.status).toBe(200);
  expect(await statusOf(first.headers)).toBe(401);
  expect(await statusOf(management.browserOf(signedIn))).toBe(200);
  expect(await statusOf(other)).toBe(200);
});

test('gives the session a new cookie when the password is confirmed', async () => {
  const { headers } = await management.person('owner', customerId);
  const body = { password: PASSWORD };
  const confirmed = await management.call('POST', '/account/v1/session/confirm', { headers, body });
  const renewed = management.browserOf(confirmed);
  expect(renewed['cookie']).not.toBe(headers.cookie);
  await management.clock.advance(10_000);
  expect([await statusOf(headers), await statusOf(renewed)]).toEqual([401, 200]);
});

test('ends other sessions only shortly after a password confirmation', async () => {
  const { email, headers, sessionId } = await management.person('owner', customerId);
  await signIn(email, { origin: headers.origin });
  await management.clock.advance(FRESH_MS);
  const { rows } = await management.call('GET', '/account/v1/sessions', { headers });
  const otherId = String(rows.find(({ isThis }) => isThis === false)?.['id']);
  const end = (path: string) =>
    management.call('DELETE', `/account/v1/sessions${path}`, { headers });
  for (const path of [`/${otherId}`, '']) {
    expect(await end(path)).toMatchObject({
      status: 403,
      json: { code: 'fresh-password-required' },
    });
  }
  expect((await end(`/${sessionId}`)).status).toBe(204);
});

test('lets an operator end all sessions of a person, who can sign in again', async () => {
  const operator = await management.person('operator', null);
  const person = await management.person('member', customerId);
  const path = `/account/v1/people/${person.id}/sessions?customerId=${customerId}`;
  const ended = await management.call('DELETE', path, { headers: operator.headers });
  expect([ended.status, await statusOf(person.headers)]).toEqual([204, 401]);
  expect((await signIn(person.email, { origin: person.headers.origin })).status).toBe(200);
});
