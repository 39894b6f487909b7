import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Management, startManagement } from '../../../test/support/management-server.ts';
import { memoryStore } from '../../../test/support/stores.ts';
import { FRESH_MS } from '../../accounts/permissions.ts';
import { formatInstant } from '../../platform/instant.ts';
import type { Db } from '../../storage/db.ts';

let db: Db;
let management: Management;
let customerId: string;
let owner: Awaited<ReturnType<Management['person']>>;

beforeAll(async () => {
  db = await memoryStore();
  management = await startManagement(db);
  customerId = await management.customer('Quiet Pine Research');
  owner = await management.person('owner', customerId);
});
afterAll(async () => {
  await management.stop();
  await db.close();
});

const KEYS = '/account/v1/keys';

function make(body: object = {}, headers: Record<string, string> = owner.headers) {
  return management.call('POST', KEYS, { headers, body });
}

describe('API keys', () => {
  test('shows an API key only once, accepts it immediately, and lists it without its secret part', async () => {
    const made = await make({ name: 'night job' });
    expect(made.status).toBe(201);
    expect(management.keys.find(made.json.key)).toMatchObject({ id: made.json.id });
    const listed = await management.call('GET', KEYS, { headers: owner.headers });
    const row = listed.rows.find(({ id }) => id === made.json.id);
    expect(row).toMatchObject({
      name: 'night job',
      scopes: ['read'],
      allowedCidrs: null,
      state: 'active',
      last4: made.json.key.slice(-4),
      lastUsedAt: null,
    });
    expect(listed.text).not.toContain(made.json.key);
  });

  test('keeps all fields of an API key that an update does not specify', async () => {
    const { json } = await make({ name: 'a', scopes: ['read', 'manage'] });
    const change = { allowedCidrs: ['192.0.2.0/24'], expiresAt: '2027-01-01T00:00:00Z' };
    const path = `${KEYS}/${json.id}`;
    const changed = await management.call('PATCH', path, { headers: owner.headers, body: change });
    expect([changed.status, changed.text]).toEqual([204, '']);
    expect(management.keys.find(json.key)).toMatchObject({
      name: 'a',
      scopes: ['read', 'manage'],
      allowedCidrs: ['192.0.2.0/24'],
      expiresAt: Date.UTC(2027, 0, 1),
    });
    const off = { headers: owner.headers, body: { enabled: false } };
    await management.call('PATCH', path, off);
    expect(management.keys.find(json.key)?.disabledAt).not.toBeNull();
  });

  test('creates, changes or rolls a managing key only shortly after a password confirmation', async () => {
    const reading = await make();
    const { headers } = await management.person('owner', customerId);
    await management.clock.advance(FRESH_MS);
    const path = `${KEYS}/${reading.json.id}`;
    const scopes = { scopes: ['read', 'manage'] };
    const refused = [
      await make(scopes, headers),
      await management.call('PATCH', path, { headers, body: scopes }),
      await management.call('POST', `${path}/roll`, { headers, body: { grace: '24h' } }),
    ];
    for (const { status, json } of refused) {
      expect([status, json.code]).toEqual([403, 'fresh-password-required']);
    }
    expect((await make({ scopes: ['read'] }, headers)).status).toBe(201);
    owner = await management.person('owner', customerId);
  });

  test('rolls an API key with a grace period in which both the old and the new key work', async () => {
    const old = await make();
    const roll = { headers: owner.headers, body: { grace: '24h' } };
    const rolled = await management.call('POST', `${KEYS}/${old.json.id}/roll`, roll);
    expect(rolled.status).toBe(201);
    const now = management.clock.now();
    expect(management.keys.find(old.json.key)?.expiresAt).toBe(now + 86_400_000);
    expect(management.keys.find(rolled.json.key)?.expiresAt).toBeNull();
    const again = await management.call('POST', `${KEYS}/${old.json.id}/roll`, roll);
    expect([again.status, again.json.code]).toEqual([409, 'conflict']);
  });

  test('lists active API keys, regardless of the number of revoked or expired keys', async () => {
    const of = await management.customer('Many Rings');
    const { id } = await management.program(of);
    // Newer keys, all of which are revoked or expired.
    await db.query(
      `insert into api_key (id, customer_id, hash, prefix, last4, created_at, revoked_at)
       select 'key_' || n, $1, decode(lpad(to_hex(n), 64, '0'), 'hex'), '', '',
              to_timestamp(4e9), now()
         from generate_series(1, 1001) n`,
      [of],
    );
    const { headers } = await management.person('owner', of);
    const { rows } = await management.call('GET', KEYS, { headers });
    expect(rows).toHaveLength(1_000);
    expect(rows[0]).toMatchObject({ id, state: 'active' });
    expect(rows[1]).toMatchObject({ state: 'revoked' });
  });

  test('records the last use of an API key for management calls as well as for reads', async () => {
    const of = await management.customer('Quiet Robots');
    const { id, headers } = await management.program(of);
    await management.call('GET', '/account/v1/account', { headers });
    const usedAt = management.clock.now();
    await management.clock.advance(5_000);
    // The time of the last use is written after the response has been sent.
    await vi.waitFor(async () => {
      const { rows } = await management.call('GET', KEYS, { headers });
      const toTheMinute = formatInstant(usedAt - (usedAt % 60_000));
      expect(rows).toMatchObject([{ id, lastUsedAt: toTheMinute }]);
    });
  });

  test('revokes API keys immediately', async () => {
    const { json } = await make();
    const path = `${KEYS}/${json.id}/revoke`;
    expect((await management.call('POST', path, { headers: owner.headers })).status).toBe(204);
    expect(management.keys.find(json.key)).toBeNull();
  });
});

describe('management calls', () => {
  test.each([
    [{ name: 5 }, 'name'],
    [{ plan: 'pro' }, 'plan'],
    [{ scopes: ['root'] }, 'scopes'],
    [{ expiresAt: 'soon' }, 'expiresAt'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ allowedCidrs: ['10.0.0.1/8'] }, 'allowedCidrs'],
    [[], 'body'],
  ])(
    'refuses to create an API key with %j and reports the parameter %s',
    async (body, parameter) => {
      const reply = await make(body);
      expect(reply.json).toMatchObject({ code: 'invalid-parameter', status: 400, parameter });
    },
  );

  test('requires a session for a management call, and the same origin for changes', async () => {
    const nobody = await management.call('GET', KEYS);
    expect([nobody.status, nobody.json.code]).toEqual([401, 'not-signed-in']);
    const { cookie } = owner.headers;
    for (const headers of [
      { cookie },
      { cookie, origin: 'http://evil.example' },
      { cookie, origin: 'null' },
    ]) {
      const foreign = await make({}, headers);
      expect([foreign.status, foreign.json.code]).toEqual([403, 'forbidden']);
    }
  });

  test('requires the scope `manage` and a key in a header for management calls by programs', async () => {
    const reader = await management.program(customerId, ['read']);
    const refused = await management.call('GET', KEYS, { headers: reader.headers });
    expect(refused.json).toMatchObject({ code: 'insufficient-scope', status: 403 });
    const manager = await management.program(customerId);
    expect((await make({}, manager.headers)).status).toBe(201);
    const inAddress = await management.call('GET', `${KEYS}?apikey=${manager.key}`);
    expect(inAddress.json).toMatchObject({ code: 'invalid-parameter', parameter: 'apikey' });
    expect(inAddress.text).not.toContain(manager.key);
  });

  test('rejects other methods and lists the allowed ones, and rejects a body that is not JSON', async () => {
    const put = await management.call('PUT', KEYS, { headers: owner.headers, body: {} });
    expect([put.status, put.headers['allow']]).toEqual([405, 'GET, POST']);
    const headers = { ...owner.headers, 'content-type': 'text/plain' };
    const unread = await management.call('PUT', KEYS, { headers, body: {} });
    expect(unread.status).toBe(405);
    const plain = await management.call('POST', KEYS, { headers, body: {} });
    expect([plain.status, plain.json.code]).toEqual([415, 'unsupported-media-type']);
  });

  test('marks responses to management calls as uncacheable and gives them a request ID', async () => {
    const reply = await management.call('GET', KEYS, { headers: owner.headers });
    expect(reply.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^req_/) as string,
    });
    expect(reply.headers['access-control-allow-origin']).toBeUndefined();
  });
});
