import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  cookieOf,
  ORIGIN,
  PASSWORD,
  startManagement,
} from '../../../test/support/management-server.ts';
import { RECEIVER } from '../../../test/support/webhook-fixtures.ts';
import { emptyStore, memoryStore } from '../../../test/support/stores.ts';
import { verifyPassword } from '../../accounts/passwords/password-hash.ts';
import type { Db } from '../../storage/db.ts';
import { forward } from '../../storage/forward.ts';

let db: Db;
beforeAll(async () => {
  db = await memoryStore();
});
beforeEach(() => emptyStore(db));
afterAll(() => db.close());

describe('the session cookie', () => {
  test.each([
    [
      'http://data.example',
      /^afterbell-session-80=[\w-]{32}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/,
    ],
    [
      'http://127.0.0.1:8080',
      /^afterbell-session-8080=[\w-]{32}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/,
    ],
    [
      'https://data.example',
      /^__Host-session=[\w-]{32}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ],
  ])(
    'over %s, hides the session cookie from scripts and cross-site changes and, over HTTPS, never sends it in plain text',
    async (url, form) => {
      const management = await startManagement(db, { publicUrl: url });
      const { email } = await management.person('operator', null);
      const body = { email, password: PASSWORD };
      const signedIn = await management.call('POST', '/account/v1/sign-in', {
        headers: { origin: url },
        body,
      });
      expect(cookieOf(signedIn)).toMatch(form);
      const headers = management.browserOf(signedIn);
      const who = await management.call('GET', '/account/v1/session', { headers });
      expect(who.status).toBe(200);
      await management.stop();
    },
  );
});

describe('sign-up', () => {
  test('rejects sign-ups unless the operator allows them', async () => {
    const body = {
      name: 'Tall Reed',
      email: 'eva@example.com',
      password: 'nine cranes flying south',
    };
    const given = { headers: { origin: ORIGIN }, body };
    const closed = await startManagement(db);
    const refused = await closed.call('POST', '/account/v1/sign-up', given);
    expect([refused.status, refused.json.code]).toEqual([403, 'forbidden']);
    await closed.stop();

    const open = await startManagement(db, { signUpPlan: 'free' });
    const made = await open.call('POST', '/account/v1/sign-up', given);
    expect(made.status).toBe(204);
    const who = await open.call('GET', '/account/v1/session', { headers: open.browserOf(made) });
    expect(who.json).toMatchObject({
      role: 'owner',
      customer: {
        name: 'Tall Reed',
        plan: { name: 'free' },
      },
    });
    const other = { ...given, body: { ...body, password: 'nine herons in the fog' } };
    const twice = await open.call('POST', '/account/v1/sign-up', other);
    expect([twice.status, twice.json.code]).toEqual([409, 'conflict']);
    let last = twice;
    for (let tries = 0; tries < 20 && last.status !== 429; tries++) {
      last = await open.call('POST', '/account/v1/sign-up', other);
    }
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
    await open.stop();
  });
});

test('answers alike whether or not an email address has an account', async () => {
  const management = await startManagement(db, { signUpPlan: 'free' });
  const customerId = await management.customer('Alike Alder');
  const owner = await management.person('owner', customerId);
  const elsewhere = await management.customer('Alike Aspen');
  const { email: taken } = await management.person('owner', elsewhere);
  const anyone = (path: string, body: object) =>
    management.call('POST', `/account/v1/${path}`, { headers: { origin: ORIGIN }, body });
  async function replies(email: string, name: string) {
    const body = { email, role: 'member' };
    const invited = await management.call('POST', '/account/v1/invitations', {
      headers: owner.headers,
      body,
    });
    const token = String(invited.json['link']).split('#')[1] ?? '';
    const password = 'nine herons in the fog';
    return [
      invited,
      await anyone('invitation', { token }),
      await anyone('invitation/accept', { token, password: 'short' }),
      await anyone('invitation/accept', { token, password }),
      await anyone('invitation/accept', { token, password }),
      await anyone('sign-up', { name, email, password: `${password} again` }),
      await anyone('sign-in', { email, password: 'no such password at all' }),
      await anyone('sign-in', { email, password }),
    ].map(({ status, headers, text }) => {
      // The length differs with that of the address, which the text shows.
      const { date: _date, 'content-length': _length, ...others } = headers;
      const shown = JSON.stringify([status, others, text]).replaceAll(email, 'EMAIL');
      // Tokens and IDs are random.
      return shown.replaceAll(/[\w-]{32}|lnk_\w+|ses_\w+|req_\d+/g, 'RANDOM');
    });
  }
  const free = await replies('free@example.com', 'Alike Ash');
  expect(await replies(taken, 'Alike Elm')).toEqual(free);
  expect(free.map((shown) => shown.slice(0, 4))).toEqual(
    [201, 200, 400, 204, 404, 204, 401, 200].map((status) => `[${status}`),
  );
  await management.stop();
});

test("ignores a proxy's Basic credentials, so that people behind the proxy can sign in", async () => {
  const management = await startManagement(db);
  const { email, headers } = await management.person('operator', null);
  const authorization = `Basic ${Buffer.from('staff:in').toString('base64')}`;
  const session = await management.call('GET', '/account/v1/session', {
    headers: { ...headers, authorization },
  });
  expect([session.status, session.json['email']]).toEqual([200, email]);
  const signedIn = await management.call('POST', '/account/v1/sign-in', {
    headers: { origin: ORIGIN, authorization },
    body: { email, password: PASSWORD },
  });
  expect(signedIn.status).toBe(200);
  const nobody = await management.call('GET', '/account/v1/session', {
    headers: { authorization },
  });
  expect(nobody.json.code).toBe('not-signed-in');
  await management.stop();
});

test('rejects two different API keys in headers with the same name', async () => {
  const management = await startManagement(db);
  const customerId = await management.customer('Quiet Pine Research');
  const [one, two] = [await management.program(customerId), await management.program(customerId)];
  const ask = (name: string, values: string[]) =>
    management.call('GET', '/account/v1/keys', { headers: { [name]: values } });
  const bearers = [`Bearer ${one.key}`, `Bearer ${two.key}`];
  for (const [name, values] of Object.entries({
    authorization: bearers,
    'x-api-key': [one.key, two.key],
  })) {
    const reply = await ask(name, values);
    expect(reply.json).toMatchObject({ status: 400, parameter: 'apikey' });
    expect((await ask(name, values.slice(0, 1))).status).toBe(200);
  }
  await management.stop();
});

test('limits concurrent calls per caller without affecting other callers', async () => {
  const gate = Promise.withResolvers<void>();
  let waiting = 0;
  const onCalendarChange = () => {
    waiting += 1;
    return gate.promise;
  };
  const management = await startManagement(db, { onCalendarChange });
  const [one, other] = [
    await management.person('operator', null),
    await management.person('operator', null),
  ];
  const add = (day: number) => {
    const date = `2026-12-${String(day).padStart(2, '0')}`;
    const body = { date, kind: 'closed', reason: 'A day of mourning' };
    return management.call('POST', '/operator/v1/market-overrides', { headers: one.headers, body });
  };
  const days = [1, 2, 3, 4, 7, 8, 9, 10, 11, 14, 15, 16, 17, 18, 21, 22];
  const running = days.map(add);
  while (waiting < days.length) await new Promise((resolve) => setImmediate(resolve));
  const list = (headers: Record<string, string>) =>
    management.call('GET', '/operator/v1/market-overrides', { headers });
  const refused = await list(one.headers);
  expect([refused.status, refused.json.code]).toEqual([503, 'temporary-reduced-capacity']);
  expect(refused.headers['retry-after']).toBe('1');
  expect((await list(other.headers)).status).toBe(200);
  gate.resolve();
  const statuses = (await Promise.all(running)).map(({ status }) => status);
  expect(statuses).toEqual(days.map(() => 201));
  expect((await list(one.headers)).status).toBe(200);
  await management.stop();
});

test('limits changes per minute for each caller without affecting reads, sign-out or other callers', async () => {
  const management = await startManagement(db);
  const customerId = await management.customer('Busy Larch');
  const other = await management.person('owner', customerId);
  const callers = [
    await management.person('owner', customerId),
    await management.program(customerId),
  ];
  for (const { headers } of callers) {
    const add = (body: object, by = headers) =>
      management.call('POST', '/account/v1/webhooks', { headers: by, body });
    // Invalid requests count toward the limit as well.
    for (let count = 0; count < 120; count += 1) expect((await add({})).status).toBe(400);
    const refused = await add({ url: RECEIVER });
    expect([refused.status, refused.json.code]).toEqual([429, 'too-many-attempts']);
    expect(refused.headers['retry-after']).toBe('60');
    expect((await management.call('GET', '/account/v1/webhooks', { headers })).status).toBe(200);
    expect((await add({ url: RECEIVER }, other.headers)).status).toBe(201);
    await management.clock.advance(60_000);
    expect((await add({ url: RECEIVER })).status).toBe(201);
    for (let count = 0; count < 119; count += 1) await add({});
    expect((await add({})).status).toBe(429);
    const left = await management.call('POST', '/account/v1/sign-out', { headers });
    expect(left.status).toBe(204);
  }
  await management.stop();
});

test('throttles requests with invalid keys from an address, but not requests with valid keys or from browsers', async () => {
  const management = await startManagement(db);
  const customerId = await management.customer('Quiet Pine Research');
  const program = await management.program(customerId);
  const person = await management.person('owner', customerId);
  const from = { 'x-test-address': '203.0.113.9' };
  const ask = (headers: Record<string, string>) =>
    management.call('GET', '/account/v1/keys', { headers: { ...from, ...headers } });
  const wrong = { 'x-api-key': `${program.key.slice(0, -1)}_` };
  let reply = await ask(wrong);
  expect([reply.status, reply.json.code]).toEqual([401, 'invalid-api-key']);
  for (let tries = 0; tries < 100 && reply.status === 401; tries++) reply = await ask(wrong);
  expect([reply.status, reply.json.code]).toEqual([429, 'rate-limited']);
  expect(reply.json['violatedPolicies']).toEqual(['wrong-keys']);
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  expect((await ask(program.headers)).status).toBe(200);
  expect((await ask(person.headers)).status).toBe(200);
  expect((await management.call('GET', '/account/v1/keys', program)).status).toBe(200);
  await management.clock.advance(Number(reply.headers['retry-after']) * 1_000);
  expect((await ask(wrong)).status).toBe(401);
  await management.stop();
});

test('limits concurrent unidentified calls per address without affecting callers with keys or other addresses', async () => {
  const { slow, gate, hold, waiting } = slowStore();
  const management = await startManagement(slow);
  const program = await management.program(await management.customer('Busy Larch'));
  const from = { 'x-test-address': '2001:db8::9', origin: ORIGIN };
  const asks = [
    () =>
      management.call('GET', '/account/v1/session', {
        headers: { ...from, cookie: 'afterbell-session-80=x' },
      }),
    () => management.call('GET', '/account/v1/entrance', { headers: from }),
    () =>
      management.call('POST', '/account/v1/invitation', {
        headers: from,
        body: { token: 'none' },
      }),
    () =>
      management.call('POST', '/account/v1/sign-in', {
        headers: from,
        body: { email: 'nobody@example.com', password: PASSWORD },
      }),
  ];
  hold(true);
  const running = Array.from({ length: 8 }, () => asks).flatMap((all) => all.map((ask) => ask()));
  while (waiting() < 32) await new Promise((resolve) => setImmediate(resolve));
  for (const ask of asks) {
    const refused = await ask();
    expect([refused.status, refused.json.code]).toEqual([503, 'temporary-reduced-capacity']);
    expect(refused.headers['retry-after']).toBe('1');
  }
  expect(waiting(), 'nothing asked the store').toBe(32);
  hold(false);
  const headers = { ...program.headers, 'x-test-address': '2001:db8::9' };
  expect((await management.call('GET', '/account/v1/keys', { headers })).status).toBe(200);
  expect((await management.call('GET', '/account/v1/entrance')).status).toBe(200);
  gate.resolve();
  const statuses = new Set((await Promise.all(running)).map((reply) => reply.status));
  expect(statuses).not.toContain(503);
  expect((await management.call('GET', '/account/v1/entrance', { headers: from })).status).toBe(
    200,
  );
  await management.stop();
});

test('asks a caller to retry while too many passwords are being checked', async () => {
  const management = await startManagement(db);
  const signIn = () =>
    management.call('POST', '/account/v1/sign-in', {
      headers: { origin: ORIGIN },
      body: { email: 'unknown@example.com', password: PASSWORD },
    });
  let isBusy = true;
  // Checks of high priority keep the queue full, so that the caller's check cannot start.
  const checks = Array.from({ length: 30 }, async () => {
    while (isBusy) {
      await verifyPassword(PASSWORD, [null], 'high').catch(() => undefined);
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  const rejected = await signIn();
  isBusy = false;
  await Promise.all(checks);
  expect([rejected.status, rejected.json.code]).toEqual([503, 'temporary-reduced-capacity']);
  expect(rejected.headers['retry-after']).toBe('2');
  expect((await signIn()).status).toBe(401);
  await management.stop();
});

test('limits concurrent calls per customer across all its keys without affecting other customers', async () => {
  const { slow, gate, hold, waiting } = slowStore();
  const management = await startManagement(slow);
  const customerId = await management.customer('Many Keys');
  const programs = [];
  for (let count = 0; count < 5; count += 1) programs.push(await management.program(customerId));
  const other = await management.program(await management.customer('Few Keys'));
  const list = ({ headers }: { headers: Record<string, string> }) =>
    management.call('GET', '/account/v1/keys', { headers });
  const [last, ...first] = programs;
  if (last === undefined) throw new Error('no key');
  hold(true);
  const running = first.flatMap((program) => Array.from({ length: 8 }, () => list(program)));
  while (waiting() < 32) await new Promise((resolve) => setImmediate(resolve));
  const refused = await list(last);
  expect([refused.status, refused.json.code]).toEqual([503, 'temporary-reduced-capacity']);
  hold(false);
  expect((await list(other)).status).toBe(200);
  gate.resolve();
  const statuses = (await Promise.all(running)).map(({ status }) => status);
  expect(statuses).toEqual(Array.from({ length: 32 }, () => 200));
  expect((await list(last)).status).toBe(200);
  await management.stop();
});

/** Returns a store whose queries wait until the gate opens. */
function slowStore() {
  const inner = db;
  const gate = Promise.withResolvers<void>();
  let waiting = 0;
  let isHeld = false;
  const slow = forward(inner, {
    async query(sql, params) {
      if (isHeld) {
        waiting += 1;
        await gate.promise;
      }
      return inner.query(sql, params);
    },
  });
  return { slow, gate, hold: (on: boolean) => void (isHeld = on), waiting: () => waiting };
}
