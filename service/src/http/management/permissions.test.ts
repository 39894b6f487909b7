import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Management,
  type Reply,
  startManagement,
} from '../../../test/support/management-server.ts';
import { SAMPLES, type SampleWorld } from '../../../test/support/management-samples.ts';
import { addressOf, type Sample } from '../../../test/support/sample-request.ts';
import { expectMatchesOpenApi } from '../../../test/support/openapi.ts';
import { findLeaks, secretsOf, stateOfTables } from '../../../test/support/secret-scan.ts';
import { memoryStore } from '../../../test/support/stores.ts';
import { PERMISSIONS, FRESH_MS, type Role } from '../../accounts/permissions.ts';
import type { Db } from '../../storage/db.ts';
import { isCustomerRoute, type Route } from './route.ts';
import { routeGroups } from './routes/registry.gen.ts';

const routes = routeGroups.flatMap((group) => group.routes);

/** Calls that anyone may make, and calls about the caller. Add new calls here manually. */
const OPEN = [
  'auth-options-read',
  'auth-set-up',
  'auth-sign-up',
  'auth-invitation-read',
  'auth-invitation-accept',
  'auth-reset-password',
  'session-sign-in',
  'session-sign-out',
];
const ONESELF = [
  'session-read',
  'session-confirm-password',
  'session-switch',
  'auth-invitation-join',
  'sessions-list',
  'sessions-revoke',
  'sessions-revoke-all',
  'password-change',
  'second-factor-begin',
  'second-factor-confirm',
  'second-factor-remove',
  'recovery-codes-regenerate',
];

const CALLERS = [
  ...([
    'nobody',
    'reading key',
    'managing key',
    'managing key elsewhere',
    'member',
    'owner',
  ] as const),
  ...(['owner elsewhere', 'operator', 'operator of an hour ago'] as const),
];
type Caller = (typeof CALLERS)[number];
const ROLES: Partial<Record<Caller, Role>> = {
  member: 'member',
  owner: 'owner',
  'owner elsewhere': 'owner',
  operator: 'operator',
  'operator of an hour ago': 'operator',
};
/** Callers from a customer other than the one whose data they request. */
const ELSEWHERE: ReadonlySet<Caller> = new Set(['managing key elsewhere', 'owner elsewhere']);

let db: Db;
let management: Management;
let customerId: string;
let elsewhereId: string;
let customers = 0;

beforeAll(async () => {
  db = await memoryStore();
  management = await startManagement(db, { signUpPlan: 'free' });
  // An extra operator, so that removing an operator never removes the last one.
  await management.person('operator', null);
});
beforeEach(async () => {
  customers += 1;
  customerId = await management.customer(`Quiet Pine ${customers}`);
  elsewhereId = await management.customer(`Loud Oak ${customers}`);
});
afterAll(async () => {
  await management.stop();
  await db.close();
});

/** Creates a new caller of the given kind, since many calls end their own session. */
async function come(caller: Caller) {
  const home = ELSEWHERE.has(caller) ? elsewhereId : customerId;
  const role = ROLES[caller];
  if (role !== undefined) return management.person(role, role === 'operator' ? null : home);
  const self = await management.person('member', home);
  if (caller === 'nobody') return { ...self, headers: { origin: management.deps.publicUrl } };
  const scope = caller === 'reading key' ? 'read' : 'manage';
  return { ...self, headers: (await management.program(home, [scope])).headers };
}

async function make(route: Route, caller: Caller, sample?: Sample): Promise<Reply> {
  const { headers, ...self } = await come(caller);
  const given = sample ?? (await sampleOf(route, self));
  const names = ROLES[caller] === 'operator' || ELSEWHERE.has(caller);
  const query = isCustomerRoute(route) && names ? { customerId } : {};
  const url = addressOf(route.path, { ...given, query: { ...given.query, ...query } });
  if (caller === 'operator of an hour ago') await ageSession(self.sessionId);
  const { body } = given;
  return management.call(route.method, url, body === undefined ? { headers } : { headers, body });
}

function sampleOf(route: Route, self: SampleWorld['self']): Promise<Sample> {
  const sample = SAMPLES[route.name];
  if (sample === undefined) throw new Error(`no sample of ${route.name}`);
  return sample({ management, customerId, self });
}

async function ageSession(sessionId: string): Promise<void> {
  const then = management.clock.now() - FRESH_MS;
  await db.query('update session set password_at = to_timestamp($2 / 1000.0) where id = $1', [
    sessionId,
    then,
  ]);
}

/** Returns the problem code that the permissions imply, or null if the call is allowed. */
function refusalOf(route: Route, caller: Caller): string | null {
  if (caller === 'reading key') return 'insufficient-scope';
  if (route.access === 'anyone') return null;
  if (caller === 'nobody') return 'not-signed-in';
  const role = ROLES[caller];
  if (route.access === 'signed-in') {
    if (role === undefined) return 'forbidden';
    return route.needsRecentPassword === true && caller === 'operator of an hour ago'
      ? 'fresh-password-required'
      : null;
  }
  const rule: {
    roles: readonly string[];
    allowsKey: boolean;
    scope: string;
    needsFreshPassword: boolean;
  } = PERMISSIONS[route.access];
  if (rule.scope === 'customer' && ELSEWHERE.has(caller)) return 'not-found';
  if (role === undefined) return rule.allowsKey ? null : 'forbidden';
  if (!rule.roles.includes(role)) return 'forbidden';
  const isFresh = rule.needsFreshPassword || route.needsRecentPassword === true;
  return isFresh && caller === 'operator of an hour ago' ? 'fresh-password-required' : null;
}

describe('permissions for all calls', () => {
  test('has a permission and a sample for every call', () => {
    expect(Object.keys(SAMPLES).sort()).toEqual(routes.map(({ name }) => name).sort());
    for (const { name, access } of routes) {
      const isAct = Object.hasOwn(PERMISSIONS, access);
      expect([OPEN.includes(name), ONESELF.includes(name), isAct]).toEqual([
        access === 'anyone',
        access === 'signed-in',
        access !== 'anyone' && access !== 'signed-in',
      ]);
    }
  });

  test('requires an operator permission for every operator call', () => {
    for (const { path, access } of routes) {
      const rule = Object.hasOwn(PERMISSIONS, access)
        ? PERMISSIONS[access as keyof typeof PERMISSIONS]
        : undefined;
      expect(path.startsWith('/operator/')).toBe(rule?.scope === 'service');
      if (rule?.scope === 'service')
        expect([rule.roles, rule.allowsKey]).toEqual([['operator'], false]);
    }
  });

  test.each(routes.map((route) => [route.name, route] as const))(
    'allows %s as documented for permitted callers and rejects it for all others',
    async (_, route) => {
      for (const caller of CALLERS) {
        const expected = refusalOf(route, caller);
        const sample = await sampleOfCaller(route, expected);
        const reply = await make(route, caller, sample);
        const seen = `${caller}: ${reply.status} ${reply.json?.code ?? ''}`;
        if (expected !== null) {
          expect(seen).toBe(`${caller}: ${reply.status} ${expected}`);
          expect(reply.status).toBeGreaterThanOrEqual(401);
          expect(reply.headers['set-cookie']).toBeUndefined();
          continue;
        }
        const { status = route.status } = SAMPLES_STATUS.get(route.name) ?? {};
        expect(seen).toMatch(new RegExp(`^${caller}: ${status}`));
        if (status !== route.status) continue;
        if (route.response === null) expect(reply.text).toBe('');
        else expectMatchesOpenApi({ name: route.name, response: route.response }, reply.json);
      }
    },
  );
});

/** Returns an invalid sample for callers that are rejected before the request is validated. */
function sampleOfCaller(route: Route, refusal: string | null): Promise<Sample | undefined> {
  const isFromNobody = refusal === 'not-signed-in' || refusal === 'insufficient-scope';
  if (!isFromNobody) return Promise.resolve(undefined);
  const params = [...route.path.matchAll(/\{/g)].map(() => 'anything');
  return Promise.resolve({ params, body: { surplus: true } });
}

const SAMPLES_STATUS = new Map<string, { status?: number }>([['auth-set-up', { status: 404 }]]);

/** Creates a watchlist that does not exist, whichever customers have one of its name. */
const CREATING = 'watchlists-upsert';

describe("other customers' objects", () => {
  const reached = routes.filter(
    (route) => route.access !== 'anyone' && /\{\w+\}/.test(route.path) && isReached(route),
  );

  function isReached({ access, path, name }: Route): boolean {
    if (name === CREATING) return false;
    return path.startsWith('/account/') && access !== 'anyone' && access !== 'data.read';
  }

  async function swap(route: Route, caller: Caller) {
    const target = await management.person('member', customerId);
    const sample = await sampleOf(route, target);
    const { headers } = await come(caller);
    const before = await stateOfTables(db);
    const body = sample.body === undefined ? {} : { body: sample.body };
    const theirs = await management.call(route.method, addressOf(route.path, sample), {
      headers,
      ...body,
    });
    const none = { ...sample, ...without(sample) };
    const nobodys = await management.call(route.method, addressOf(route.path, none), {
      headers,
      ...body,
    });
    return { theirs, nobodys, ids: [...(sample.params ?? [])], before };
  }

  function without({ params, query }: Sample): Sample {
    return {
      ...(params === undefined ? {} : { params: params.map(() => 'key_00000000000000000000') }),
      ...(query?.['keyId'] === undefined
        ? {}
        : { query: { ...query, keyId: 'key_00000000000000000000' } }),
    };
  }

  test("has sample calls that reference another customer's objects by ID", () => {
    expect(reached.length).toBeGreaterThan(8);
  });

  test.each(reached.map((route) => [route.name, route] as const))(
    "neither finds nor changes another customer's objects with %s",
    async (_, route) => {
      const keyMay =
        route.access !== 'signed-in' &&
        PERMISSIONS[route.access as keyof typeof PERMISSIONS].allowsKey;
      const callers: Caller[] = keyMay
        ? ['owner elsewhere', 'managing key elsewhere']
        : ['owner elsewhere'];
      for (const caller of callers) {
        const { theirs, nobodys, ids, before } = await swap(route, caller);
        expect([theirs.status, theirs.json.code]).toEqual([404, 'not-found']);
        for (const id of ids) expect(theirs.text).not.toContain(id);
        const { instance: _one, ...told } = theirs.json;
        const { instance: _other, ...untold } = nobodys.json;
        expect(told).toEqual(untold);
        expect(await stateOfTables(db)).toEqual(before);
      }
    },
  );

  test.each(['usage-read', 'requests-list'])(
    'does not let people or keys of other customers access objects with %s',
    async (name) => {
      const route = routes.find((each) => each.name === name);
      if (route === undefined) throw new Error(name);
      for (const caller of ['owner elsewhere', 'managing key elsewhere'] as const) {
        const { theirs, nobodys } = await swap(route, caller);
        expect([theirs.status, nobodys.status]).toEqual([404, 404]);
      }
    },
  );
});

/** Members that an attacker might add to a request that sets a name. */
const TEMPTING = ['customerId', 'plan', 'role', 'id', 'suspendedAt', 'surplus'];

describe('unknown members', () => {
  test.each(routes.map((route) => [route.name, route] as const))(
    'rejects an unknown member in %s without changing anything',
    async (_, route) => {
      const { headers, ...self } = await come('operator');
      const sample = await sampleOf(route, self);
      const customer = isCustomerRoute(route) ? { customerId } : {};
      const query = { ...sample.query, ...customer };
      const url = addressOf(route.path, { ...sample, query });
      const before = await stateOfTables(db);
      const sent = sample.body === undefined ? {} : { body: sample.body };
      const wide = addressOf(route.path, { ...sample, query: { ...query, surplus: '1' } });
      const asked = await management.call(route.method, wide, { headers, ...sent });
      expect(asked.json).toMatchObject({ code: 'invalid-parameter', parameter: 'surplus' });
      const known = Object.keys(route.body?.properties ?? {});
      for (const name of route.method === 'GET' ? [] : TEMPTING) {
        if (known.includes(name)) continue;
        const body = { ...sample.body, [name]: 'owner' };
        const reply = await management.call(route.method, url, { headers, body });
        const parameter = route.body === undefined ? 'body' : name;
        expect(reply.json).toMatchObject({ code: 'invalid-parameter', parameter, status: 400 });
      }
      expect(await stateOfTables(db)).toEqual(before);
    },
  );
});

test('exposes no secret in a table, the log, a URL or a second response', async () => {
  const secrets = secretsOf(management);
  expect(secrets.length).toBeGreaterThan(200);
  expect(secrets.filter(({ isShown }) => isShown).length).toBeGreaterThan(20);
  expect(await findLeaks(db, management)).toEqual([]);
});
