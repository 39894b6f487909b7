import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  cookieOf,
  type Management,
  ORIGIN,
  type Reply,
  startManagement,
} from '../../../test/support/management-server.ts';
import { findLeaks, secretsOf } from '../../../test/support/secret-scan.ts';
import { memoryStore } from '../../../test/support/stores.ts';
import { createSetupToken } from '../../accounts/people/setup.ts';
import { fromBase32, totpCode, totpStep } from '../../accounts/second-factor/totp.ts';
import type { Db } from '../../storage/db.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Each of the tests below depends on the previous ones. */
describe('the management API from the first start', () => {
  const people = {
    root: { email: 'root@example.com', password: 'the tide comes in at seven' },
    ida: { email: 'Ida@Example.com', password: 'seven tides for one grey heron' },
    max: { email: 'max@example.com', password: 'an owl asleep in the belfry' },
  };
  type Name = keyof typeof people;

  let db: Db;
  let management: Management;
  let customerId = '';
  const browsers: Partial<Record<Name, Record<string, string>>> = {};
  let idaSecret = '';

  beforeAll(async () => {
    db = await memoryStore();
    management = await startManagement(db);
    // Several days pass in this test without any use of an API key.
    management.keys.stop();
  });
  afterAll(async () => {
    await management.stop();
    await db.close();
  });

  function post(path: string, body: unknown, headers: Record<string, string> = fromPage) {
    return management.call('POST', `/account/v1/${path}`, { headers, body });
  }
  const fromPage = { origin: ORIGIN };

  function as(name: Name): { headers: Record<string, string> } {
    return { headers: browsers[name] ?? {} };
  }

  async function signIn(name: Name, code?: string, address?: string): Promise<Reply> {
    const headers = address === undefined ? fromPage : { ...fromPage, 'x-test-address': address };
    const reply = await post(
      'sign-in',
      { ...people[name], ...(code === undefined ? {} : { code }) },
      headers,
    );
    if (cookieOf(reply) !== '') browsers[name] = management.browserOf(reply);
    return reply;
  }

  function whoIs(headers: Record<string, string>): Promise<Reply> {
    return management.call('GET', '/account/v1/session', { headers });
  }

  function codeOf(secret: string): string {
    return totpCode(fromBase32(secret), totpStep(management.clock.now()));
  }

  function tokenIn({ json }: Reply): string {
    return String(json['link']).split('#')[1] ?? '';
  }

  test('creates the first operator with the setup token, which works only once', async () => {
    const before = await management.call('GET', '/account/v1/entrance');
    expect(before.json).toEqual({ isSetUp: false, canSignUp: false });
    const token = (await createSetupToken(management.deps)) ?? '';
    const weak = await post('set-up', { token, ...people.root, password: 'password12345678' });
    expect(weak.json).toMatchObject({ status: 400, parameter: 'password' });
    const wrong = await post('set-up', { token: `${token}x`, ...people.root });
    expect(wrong.status).toBe(404);
    const made = await post('set-up', { token, ...people.root });
    expect([made.status, made.text]).toEqual([204, '']);
    browsers.root = management.browserOf(made);
    expect((await post('set-up', { token, ...people.root })).status).toBe(404);
    const who = await whoIs(browsers.root);
    expect(who.json).toMatchObject({
      email: 'root@example.com',
      role: 'operator',
      customer: null,
      hasSecondFactor: false,
      freshUntil: '2026-11-20T15:40:00Z',
      expiresAt: '2026-11-27T15:30:00Z',
    });
    const after = await management.call('GET', '/account/v1/entrance');
    expect(after.json).toEqual({ isSetUp: true, canSignUp: false });
  });

  test('lets an operator create a customer and invite its owner with a link', async () => {
    const body = { name: 'Quiet Pine Research', plan: 'free' };
    const made = await management.call('POST', '/operator/v1/customers', { ...as('root'), body });
    expect([made.status, made.json]).toMatchObject([
      201,
      { name: 'Quiet Pine Research', state: 'active', historyFrom: '2024-11-20' },
    ]);
    customerId = made.json.id;
    const invited = await post(
      `invitations?customerId=${customerId}`,
      { email: people.ida.email, role: 'owner' },
      as('root').headers,
    );
    expect(invited.status).toBe(201);
    expect(invited.json).toMatchObject({ expiresAt: '2026-11-27T15:30:00Z' });
    const token = tokenIn(invited);
    const read = await post('invitation', { token });
    expect(read.json).toEqual({
      email: 'Ida@Example.com',
      role: 'owner',
      customerName: 'Quiet Pine Research',
    });
    const { password } = people.ida;
    const accepted = await post('invitation/accept', { token, password });
    expect(accepted.status).toBe(204);
    browsers.ida = management.browserOf(accepted);
    expect((await whoIs(browsers.ida)).json).toMatchObject({
      role: 'owner',
      customer: {
        id: customerId,
        plan: { name: 'free', perDay: 100 },
      },
    });
    expect((await post('invitation/accept', { token, password })).status).toBe(404);
    expect((await post('invitation', { token })).status).toBe(404);
  });

  test("lets an owner invite a member and change roles, but not remove the last owner's role", async () => {
    const wanted = { email: people.max.email, role: 'member' };
    const invited = await post('invitations', wanted, as('ida').headers);
    const open = await management.call('GET', '/account/v1/invitations', as('ida'));
    expect(open.rows).toMatchObject([{ email: 'max@example.com', role: 'member' }]);
    const { password } = people.max;
    const accepted = await post('invitation/accept', { token: tokenIn(invited), password });
    browsers.max = management.browserOf(accepted);
    const tried = await post('invitations', wanted, as('max').headers);
    expect([tried.status, tried.json.code]).toEqual([403, 'forbidden']);
    const asOperator = { email: 'x@example.com', role: 'operator' };
    expect((await post('invitations', asOperator, as('ida').headers)).status).toBe(400);
    const people_ = await management.call('GET', '/account/v1/people', as('max'));
    const [ida, max] = people_.rows;
    expect([ida, max]).toMatchObject([{ role: 'owner' }, { role: 'member' }]);
    const path = (row?: Record<string, unknown>) => `/account/v1/people/${String(row?.['id'])}`;
    const demote = { ...as('ida'), body: { role: 'member' } };
    const last = await management.call('PATCH', path(ida), demote);
    expect([last.status, last.json.code]).toEqual([409, 'conflict']);
    const promote = { ...as('ida'), body: { role: 'owner' } };
    expect((await management.call('PATCH', path(max), promote)).status).toBe(200);
    expect((await whoIs(as('max').headers)).json).toMatchObject({ role: 'owner' });
    expect((await management.call('PATCH', path(max), demote)).status).toBe(200);
    const disable = { ...as('ida'), body: { enabled: false } };
    expect((await management.call('PATCH', path(max), disable)).status).toBe(200);
    expect((await whoIs(as('max').headers)).status).toBe(401);
    expect((await signIn('max')).status).toBe(401);
    const enable = { ...as('ida'), body: { enabled: true } };
    expect((await management.call('PATCH', path(max), enable)).status).toBe(200);
    expect((await signIn('max')).status).toBe(200);
  });

  test('requires a confirmed second factor, and accepts each code only once', async () => {
    const begun = await post('second-factor', undefined, as('ida').headers);
    idaSecret = String(begun.json['secret']);
    expect(begun.json['address']).toBe(
      `otpauth://totp/Quiet%20Data:Ida%40Example.com?secret=${idaSecret}&issuer=Quiet%20Data`,
    );
    expect((await signIn('ida')).json).toEqual({ status: 'signed-in' });
    const wrong = await post('second-factor/confirm', { code: '000000' }, as('ida').headers);
    expect([wrong.status, wrong.json['parameter']]).toEqual([400, 'code']);
    const code = codeOf(idaSecret);
    const confirmed = await post('second-factor/confirm', { code }, as('ida').headers);
    const codes = confirmed.json['recoveryCodes'] as string[];
    expect(codes).toHaveLength(10);
    const half = await signIn('ida');
    expect([half.status, half.json, cookieOf(half)]).toEqual([
      200,
      { status: 'code-required' },
      '',
    ]);
    expect((await signIn('ida', '000000')).status).toBe(401);
    expect((await signIn('ida', code)).status).toBe(401);
    await management.clock.advance(MINUTE_MS);
    expect((await signIn('ida', codeOf(idaSecret))).json).toEqual({ status: 'signed-in' });
    expect((await signIn('ida', codes[0])).status).toBe(200);
    expect((await signIn('ida', codes[0])).status).toBe(401);
    expect((await whoIs(as('ida').headers)).json).toMatchObject({ recoveryCodesLeft: 9 });
    const removal = 'second-factor/remove';
    for (const [code, status] of [
      [undefined, 400],
      ['000000', 400],
      [codes[0], 400],
    ] as const) {
      const refused = await post(removal, { code }, as('ida').headers);
      expect([refused.status, refused.json['parameter']]).toEqual([status, 'code']);
    }
    const renewed = await post('recovery-codes', undefined, as('ida').headers);
    expect(renewed.json['recoveryCodes']).toHaveLength(10);
    expect((await signIn('ida', codes[1])).status).toBe(401);
  });

  test('lets people list and end their own sessions only', async () => {
    const listed = await management.call('GET', '/account/v1/sessions', as('ida'));
    expect(listed.rows.length).toBeGreaterThan(2);
    expect(listed.rows.filter((row) => row['isThis'] === true)).toHaveLength(1);
    const other = listed.rows.find((row) => row['isThis'] === false);
    const path = `/account/v1/sessions/${String(other?.['id'])}`;
    expect((await management.call('DELETE', path, as('ida'))).status).toBe(204);
    expect((await management.call('DELETE', path, as('ida'))).status).toBe(404);
    const ended = await management.call('DELETE', '/account/v1/sessions', as('ida'));
    expect(cookieOf(ended)).toMatch(/^afterbell-session-80=; .*Expires=Thu, 01 Jan 1970/);
    expect((await whoIs(as('ida').headers)).status).toBe(401);
    await management.clock.advance(MINUTE_MS);
    await signIn('ida', codeOf(idaSecret));
    const out = await post('sign-out', undefined, as('ida').headers);
    expect([out.status, cookieOf(out)]).toMatchObject([
      204,
      expect.stringMatching(/^afterbell-session-80=;/),
    ]);
    expect((await whoIs(as('ida').headers)).status).toBe(401);
    expect((await post('sign-out', undefined)).status).toBe(204);
  });

  test("ends all of a person's sessions except the current one after a password change", async () => {
    await signIn('max');
    const [first, second] = [as('max').headers, (await signIn('max'), as('max').headers)];
    const next = 'an owl awake in the belfry';
    const wrong = await post('password', { current: 'not the password', next }, second);
    expect([wrong.status, wrong.json['parameter']]).toEqual([400, 'current']);
    const weak = { current: people.max.password, next: 'short' };
    expect((await post('password', weak, second)).json).toMatchObject({ parameter: 'next' });
    const changed = await post('password', { current: people.max.password, next }, second);
    expect(changed.status).toBe(204);
    people.max.password = next;
    browsers.max = management.browserOf(changed);
    const statuses = [first, second, as('max').headers].map(whoIs);
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([401, 401, 200]);
  });

  test('allows sensitive calls for ten minutes after a password confirmation', async () => {
    await management.clock.advance(10 * MINUTE_MS);
    const body = { email: 'second@example.com' };
    const invite = () =>
      management.call('POST', '/operator/v1/invitations', { ...as('root'), body });
    const stale = await invite();
    expect([stale.status, stale.json.code]).toEqual([403, 'fresh-password-required']);
    const wrong = await post(
      'session/confirm',
      { password: 'not the password' },
      as('root').headers,
    );
    expect([wrong.status, wrong.json['parameter']]).toEqual([400, 'password']);
    const { password } = people.root;
    const confirmed = await post('session/confirm', { password }, as('root').headers);
    expect(confirmed.status).toBe(204);
    browsers.root = management.browserOf(confirmed);
    const made = await invite();
    expect(made.status).toBe(201);
    const path = `/operator/v1/invitations/${made.json.id}`;
    expect((await management.call('DELETE', path, as('root'))).status).toBe(204);
    expect((await post('invitation', { token: tokenIn(made) })).status).toBe(404);
  });

  test('accepts a password reset link only once and only within an hour', async () => {
    const found = await management.call(
      'GET',
      `/account/v1/people?customerId=${customerId}`,
      as('root'),
    );
    const max = found.rows.find(({ email }) => email === 'max@example.com');
    const path = `/operator/v1/people/${String(max?.['id'])}/password-reset`;
    const late = tokenIn(await management.call('POST', path, as('root')));
    const made = await management.call('POST', path, as('root'));
    const password = 'two owls asleep in one belfry';
    expect((await post('password-reset', { token: late, password })).status).toBe(404);
    expect((await signIn('max')).status).toBe(200);
    const token = tokenIn(made);
    expect((await post('password-reset', { token, password })).status).toBe(204);
    expect((await whoIs(as('max').headers)).status).toBe(401);
    expect((await signIn('max')).status).toBe(401);
    people.max.password = password;
    expect((await signIn('max')).status).toBe(200);
    expect((await post('password-reset', { token, password })).status).toBe(404);
  });

  test('expires sessions after 12 hours without use, and after a week in any case', async () => {
    await signIn('max');
    for (let hours = 0; hours < 6 * 24 + 12; hours += 11) {
      await management.clock.advance(11 * HOUR_MS);
      expect((await whoIs(as('max').headers)).status).toBe(200);
    }
    await management.clock.advance(11 * HOUR_MS);
    expect((await whoIs(as('max').headers)).status).toBe(401);
    await signIn('max');
    await management.clock.advance(12 * HOUR_MS);
    expect((await whoIs(as('max').headers)).status).toBe(401);
  });

  test('returns the time to wait after too many wrong passwords', async () => {
    const address = '203.0.113.5';
    const wrong = { email: people.max.email, password: 'a wrong guess of it' };
    const headers = { ...fromPage, 'x-test-address': address };
    for (let tries = 0; tries < 5; tries++) {
      expect((await post('sign-in', wrong, headers)).status).toBe(401);
    }
    const refused = await signIn('max', undefined, address);
    expect([refused.status, refused.json.code]).toEqual([429, 'too-many-attempts']);
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThan(60);
    expect((await signIn('max')).status).toBe(200);
    await management.clock.advance(seconds * 1_000);
    expect((await signIn('max', undefined, address)).status).toBe(200);
  });

  test('does not reveal at sign-in whether an account exists', async () => {
    const wrong = await post('sign-in', { ...people.max, password: 'a wrong guess of it' });
    const unknown = await post('sign-in', { ...people.max, email: 'nobody@example.com' });
    const { instance: _one, ...told } = wrong.json;
    const { instance: _other, ...untold } = unknown.json;
    expect(told).toEqual(untold);
    expect([told.code, wrong.status]).toEqual(['not-signed-in', 401]);
  });

  test('prevents a cross-site page from signing in or changing anything', async () => {
    for (const headers of [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const reply = await post('sign-in', people.max, headers);
      expect([reply.status, cookieOf(reply)]).toEqual([403, '']);
    }
    const { cookie = '' } = as('max').headers;
    const forged = await post('sign-out', undefined, { cookie, origin: 'https://evil.example' });
    expect(forged.status).toBe(403);
    expect((await whoIs({ cookie })).status).toBe(200);
    expect((await post('sign-in', people.max, { 'sec-fetch-site': 'same-origin' })).status).toBe(
      200,
    );
  });

  test('records every action in the audit log, with its actor and address', async () => {
    await signIn('max');
    const all = await management.call('GET', '/operator/v1/audit?limit=500', {
      headers: management.browserOf(await signIn('root')),
    });
    const events = all.json['events'] as { act: string; by: { label: string; address: string } }[];
    const acts = new Set(events.map(({ act }) => act));
    for (const act of [
      'setup.begin',
      'customer.create',
      'person.invite',
      'person.create',
      'person.disable',
      'person.enable',
      'person.change-role',
      'second-factor.add',
      'recovery-codes.renew',
      'session.start',
      'session.end',
      'session.end-all',
      'session.confirm',
      'person.withdraw',
      'person.change-password',
      'person.reset-password',
    ]) {
      expect(acts).toContain(act);
    }
    const created = events.find(({ act }) => act === 'customer.create');
    expect(created?.by).toMatchObject({ label: 'root@example.com', address: '198.51.100.7' });
  });

  test('neither stores nor logs any password, token, code, session or secret in plain text', async () => {
    const secrets = secretsOf(management);
    expect(secrets.length).toBeGreaterThan(50);
    expect(secrets.map(({ text }) => text)).toContain(idaSecret);
    expect(await findLeaks(db, management)).toEqual([]);
    expect(management.log.entries.length).toBeGreaterThan(5);
  });

  test('verifies that the search for leaks finds a planted plain-text secret', async () => {
    management.secrets.add('Quiet Pine Research');
    expect(await findLeaks(db, management)).toContain('table customer');
    management.secrets.delete('Quiet Pine Research');
  });
});
