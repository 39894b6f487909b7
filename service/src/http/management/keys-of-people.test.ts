import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Management, startManagement } from '../../../test/support/management-server.ts';
import { memoryStore } from '../../../test/support/stores.ts';
import { RECEIVER } from '../../../test/support/webhook-fixtures.ts';
import { insertMembership } from '../../accounts/people/membership-store.ts';
import type { Db } from '../../storage/db.ts';

type Person = Awaited<ReturnType<Management['person']>>;

let db: Db;
let management: Management;
let customerId: string;
let owner: Person;
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
const PEOPLE = '/account/v1/people';

/** A member with a managing key, a key that this key created, and an endpoint of that key. */
async function createAccess() {
  const member = await management.person('member', customerId);
  const first = await create(member.headers, ['read', 'manage']);
  await management.clock.advance(1_000);
  const second = await create({ 'x-api-key': first.key }, ['read', 'manage']);
  const endpoint = await management.call('POST', '/account/v1/webhooks', {
    headers: { 'x-api-key': second.key },
    body: { url: RECEIVER },
  });
  return { member, first, second, endpointId: endpoint.json.id };
}

async function create(headers: Record<string, string>, scopes: string[]) {
  const { json } = await management.call('POST', KEYS, { headers, body: { scopes } });
  return json;
}

async function remove(person: Person, query = '') {
  const path = `${PEOPLE}/${person.id}${query}`;
  return management.call('DELETE', path, { headers: owner.headers });
}

function worksFor(key: string): Promise<number> {
  return management
    .call('GET', KEYS, { headers: { 'x-api-key': key } })
    .then(({ status }) => status);
}

test('shows who created each key and endpoint', async () => {
  const { member, first, second, endpointId } = await createAccess();
  const byKey = { kind: 'key', id: first.id };
  const { rows } = await management.call('GET', KEYS, { headers: owner.headers });
  expect(rows.find(({ id }) => id === first.id)?.['createdBy']).toEqual({
    kind: 'person',
    id: member.id,
    label: member.email,
  });
  expect(rows.find(({ id }) => id === second.id)?.['createdBy']).toMatchObject(byKey);
  const path = `/account/v1/webhooks/${endpointId}`;
  const { json } = await management.call('GET', path, { headers: owner.headers });
  expect(json['createdBy']).toMatchObject({ kind: 'key', id: second.id });
});

test('answers the removal of a person with the keys and endpoints that they leave', async () => {
  const { member, first, second, endpointId } = await createAccess();
  const access = await management.call('GET', `${PEOPLE}/${member.id}/access`, {
    headers: owner.headers,
  });
  const removed = await remove(member);
  expect(removed.json).toEqual(access.json);
  expect(removed.json).toMatchObject({
    keys: [
      { id: first.id, isRevoked: false },
      { id: second.id, isRevoked: false },
    ],
    endpoints: [{ id: endpointId, url: RECEIVER }],
  });
  expect([await worksFor(first.key), await worksFor(second.key)]).toEqual([200, 200]);
});

test('revokes the keys of a removed person, and the keys that those created', async () => {
  const { member, first, second } = await createAccess();
  const ownKey = await create(owner.headers, ['manage']);
  const { json } = await remove(member, '?revokeKeys=true');
  expect(json['keys']).toMatchObject([{ isRevoked: true }, { isRevoked: true }]);
  expect(await Promise.all([first, second, ownKey].map(({ key }) => worksFor(key)))).toEqual([
    401, 401, 200,
  ]);
  const audit = await management.call('GET', '/account/v1/audit?act=key.revoke', {
    headers: owner.headers,
  });
  expect(audit.json['events']).toMatchObject([
    { subject: second.id, by: { id: owner.id } },
    { subject: first.id, by: { id: owner.id } },
  ]);
});

test('revokes the keys of a disabled person only if asked', async () => {
  const { member, first } = await createAccess();
  const path = `${PEOPLE}/${member.id}`;
  const disable = (body: object) =>
    management.call('PATCH', path, { headers: owner.headers, body: { enabled: false, ...body } });
  expect((await disable({})).json['keys']).toMatchObject([{ isRevoked: false }, {}]);
  expect(await worksFor(first.key)).toBe(200);
  expect((await disable({ revokeKeys: true })).json['keys']).toMatchObject([
    { isRevoked: true },
    { isRevoked: true },
  ]);
  expect(await worksFor(first.key)).toBe(401);
});

test('attributes a rolled key to the person who rolled it', async () => {
  const { member, first } = await createAccess();
  const rolled = await management.call('POST', `${KEYS}/${first.id}/roll`, {
    headers: owner.headers,
    body: { grace: '1h' },
  });
  await remove(member, '?revokeKeys=true');
  expect([await worksFor(first.key), await worksFor(rolled.json.key)]).toEqual([401, 200]);
});

test('shows and revokes only the keys that a person created for this customer', async () => {
  const { member, first } = await createAccess();
  const otherId = await management.customer('Loud Oak Research');
  const createdAt = management.clock.now();
  const ref = { personId: member.id, customerId: otherId };
  await insertMembership(db, ref, { role: 'member', createdAt });
  const show = (shown: string) =>
    management.call('POST', '/account/v1/session/switch', {
      headers: member.headers,
      body: { customerId: shown },
    });
  expect((await show(otherId)).status).toBe(204);
  const other = await create(member.headers, ['read', 'manage']);
  const endpoint = await management.call('POST', '/account/v1/webhooks', {
    headers: member.headers,
    body: { url: RECEIVER },
  });
  const { json } = await remove(member, '?revokeKeys=true');
  expect(JSON.stringify(json)).not.toContain(other.id);
  expect(JSON.stringify(json)).not.toContain(endpoint.json.id);
  expect([await worksFor(first.key), await worksFor(other.key)]).toEqual([401, 200]);
  const session = await management.call('GET', '/account/v1/session', { headers: member.headers });
  expect(session.json).toMatchObject({
    customer: { id: otherId },
    memberships: [{ customerId: otherId, customerName: 'Loud Oak Research', role: 'member' }],
  });
  expect((await show(customerId)).status).toBe(404);
});
