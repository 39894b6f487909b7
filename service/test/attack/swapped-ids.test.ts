import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PERMISSIONS } from '../../src/accounts/permissions.ts';
import { isCustomerRoute, type Route } from '../../src/http/management/route.ts';
import { routeGroups } from '../../src/http/management/routes/registry.gen.ts';
import type { Db } from '../../src/storage/db.ts';
import { SAMPLES, type SampleWorld } from '../support/management-samples.ts';
import { addressOf, type Sample } from '../support/sample-request.ts';
import { type Management, type Reply, startManagement } from '../support/management-server.ts';
import { memoryStore } from '../support/stores.ts';

const routes = routeGroups.flatMap((group) => group.routes);

/**
 * Parameter names that identify a customer's resource, each with the route whose sample creates
 * one.
 */
const ID_PARAMETERS: Readonly<Record<string, string>> = {
  keyId: 'keys-update',
  personId: 'people-update',
  invitationId: 'people-invitations-revoke',
  sessionId: 'sessions-revoke',
  endpointId: 'webhooks-read',
  deliveryId: 'deliveries-read',
};
/** Other parameter names. Add a name here only if it does not identify a customer's resource. */
const OTHER_PARAMETERS = new Set([
  // The customer itself. A test below covers every call about a customer.
  'customerId',
  // Service resources that only operators may access.
  'provider',
  'dataset',
  'factId',
  'quarantineId',
  'overrideId',
  'plan',
  'feed',
  'reason',
  // Public data.
  'symbol',
  'symbols',
  'endpoint',
  'templateId',
  'query',
  'search',
  'split',
  // Filters and page cursors for lists within one customer.
  'by',
  'act',
  'from',
  'to',
  'before',
  'after',
  'limit',
  'kind',
  'state',
  'test',
  'status',
  'path',
  'requestId',
  'outcome',
  'date',
  'format',
  // Properties of a resource.
  'field',
  'payloadFormat',
  'standardWebhooks',
  // Also the name of a watchlist, which is looked up among those of the caller's customer.
  'name',
  'add',
  'remove',
  'scopes',
  'allowedCidrs',
  'expiresAt',
  'enabled',
  'grace',
  'revokeKeys',
  'role',
  'email',
  'url',
  'description',
  'perMinute',
  'perDay',
  'perMonth',
  'historyMonths',
  'computeMsPerMinute',
  'watchlistsMax',
  'watchlistCompaniesMax',
  'overlapHours',
  'preview',
  'since',
  'time',
  'note',
  'why',
  'again',
  // Secrets belonging to one user.
  'token',
  'password',
  'current',
  'next',
  'code',
]);
const UNKNOWN_ID = 'key_00000000000000000000';

const inPath = ({ path }: Route): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
const inQuery = ({ query }: Route): string[] => Object.keys(query?.properties ?? {});
const inBody = ({ body }: Route): string[] => Object.keys(body?.properties ?? {});

/** Every parameter of a customer call that can contain one of that customer's ids. */
const ID_USES = routes.flatMap((route) =>
  route.path.startsWith('/account/')
    ? [...inPath(route), ...inQuery(route), ...inBody(route)]
        .filter((name) => Object.hasOwn(ID_PARAMETERS, name))
        .map((name) => [`${route.name}, ${name}`, route, name] as const)
    : [],
);

let db: Db;
let management: Management;
let theirs: string;
let ours: string;
let customers = 0;

beforeAll(async () => {
  db = await memoryStore();
  management = await startManagement(db);
});
beforeEach(async () => {
  customers += 1;
  theirs = await management.customer(`Quiet Pine ${customers}`);
  ours = await management.customer(`Loud Oak ${customers}`);
});
afterAll(async () => {
  await management.stop();
  await db.close();
});

function sampleOf(name: string, self: SampleWorld['self']): Promise<Sample> {
  const sample = SAMPLES[name];
  if (sample === undefined) throw new Error(`no sample for ${name}`);
  return sample({ management, customerId: theirs, self });
}

/** Builds the call as the resource owner would make it. Also returns the id in it. */
async function ownerCall(route: Route, name: string, self: SampleWorld['self']) {
  const sample = await sampleOf(route.name, self);
  const at = inPath(route).indexOf(name);
  const id =
    (at === -1 ? sample.query?.[name] : sample.params?.[at]) ??
    (await sampleOf(ID_PARAMETERS[name] ?? '', self)).params?.[0] ??
    '';
  return { sample, id };
}

function withId(route: Route, name: string, sample: Sample, id: string): Sample {
  const at = inPath(route).indexOf(name);
  if (at !== -1) return { ...sample, params: (sample.params ?? []).with(at, id) };
  if (inBody(route).includes(name)) return { ...sample, body: { ...sample.body, [name]: id } };
  return { ...sample, query: { ...sample.query, [name]: id } };
}

function call(route: Route, sample: Sample, headers: Record<string, string>): Promise<Reply> {
  const { body } = sample;
  const options = body === undefined ? { headers } : { headers, body };
  return management.call(route.method, addressOf(route.path, sample), options);
}

/**
 * Returns the other customer's credentials that permit the call within that customer's own account.
 */
async function otherCustomerHeaders({ access }: Route): Promise<Record<string, string>[]> {
  const owner = (await management.person('owner', ours)).headers;
  if (access === 'signed-in') return [owner];
  const { allowsKey: key, roles } = PERMISSIONS[access as keyof typeof PERMISSIONS];
  const headerSets: Record<string, string>[] = [owner];
  if (key) headerSets.push((await management.program(ours, ['manage'])).headers);
  if ((roles as readonly string[]).includes('member')) {
    headerSets.push((await management.person('member', ours)).headers);
  }
  return headerSets;
}

describe('ids swapped between two customers', () => {
  test("covers every call parameter that can contain a customer's id", () => {
    const names = routes.flatMap((route) => [
      ...inPath(route),
      ...inQuery(route),
      ...inBody(route),
    ]);
    const isKnown = (name: string): boolean =>
      Object.hasOwn(ID_PARAMETERS, name) !== OTHER_PARAMETERS.has(name);
    expect(names.filter((name) => !isKnown(name))).toEqual([]);
    const usedNames = new Set(ID_USES.map(([, , name]) => name));
    expect([...usedNames].toSorted(), 'each parameter is tried').toEqual(
      Object.keys(ID_PARAMETERS).toSorted(),
    );
  });

  test.each(ID_USES)(
    "returns 404 from %s for a different customer's id, exactly as for an unknown id",
    async (_, route, name) => {
      const self = await management.person('owner', theirs);
      const { sample, id } = await ownerCall(route, name, self);
      for (const headers of await otherCustomerHeaders(route)) {
        const swapped = await call(route, withId(route, name, sample, id), headers);
        const unknown = await call(route, withId(route, name, sample, UNKNOWN_ID), headers);
        expect([swapped.status, swapped.json.code]).toEqual([404, 'not-found']);
        expect(swapped.text).not.toContain(id);
        expect(withoutInstance(swapped)).toBe(withoutInstance(unknown));
      }
      // The same call must succeed for the owner.
      const ownerReply = await call(route, withId(route, name, sample, id), self.headers);
      expect(ownerReply.status, ownerReply.text).toBe(route.status);
    },
  );

  test.each(routes.filter(isCustomerRoute).map((route) => [route.name, route] as const))(
    "returns 404 from %s for a different customer's account",
    async (_, route) => {
      const self = await management.person('owner', theirs);
      const sample = await sampleOf(route.name, self);
      for (const headers of await otherCustomerHeaders(route)) {
        const about = { ...sample, query: { ...sample.query, customerId: theirs } };
        const reply = await call(route, about, headers);
        expect([reply.status, reply.json.code]).toEqual([404, 'not-found']);
        expect(reply.text).not.toContain(theirs);
      }
    },
  );

  test('returns 404 when a user revokes a colleague’s session', async () => {
    const route = routes.find((each) => each.name === 'sessions-revoke');
    if (route === undefined) throw new Error('unknown route');
    const person = await management.person('owner', theirs);
    const other = await management.person('owner', theirs);
    const reply = await call(route, { params: [person.sessionId] }, other.headers);
    expect([reply.status, reply.json.code]).toEqual([404, 'not-found']);
  });

  test.each(['audit-list', 'deliveries-list'])(
    "returns none of a different customer's data for that customer's page cursor in %s",
    async (name) => {
      const route = routes.find((each) => each.name === name);
      if (route === undefined) throw new Error(name);
      const self = await management.person('owner', theirs);
      await sampleOf('deliveries-read', self);
      await sampleOf('deliveries-read', self);
      const ids = idsIn(await call(route, {}, self.headers));
      expect(ids.length).toBeGreaterThan(1);
      for (const headers of await otherCustomerHeaders(route)) {
        for (const id of ids) {
          const reply = await call(route, { query: { before: id } }, headers);
          expect(idsIn(reply).filter((each) => ids.includes(each))).toEqual([]);
        }
      }
    },
  );
});

/** Returns every id in a response. */
function idsIn({ text }: Reply): string[] {
  const ids = [...text.matchAll(/"id":"?([\w-]+)/g)].map(([, id = '']) => id);
  return ids.filter((id) => id !== 'null');
}

function withoutInstance({ status, json }: Reply): string {
  return `${status} ${JSON.stringify({ ...json, instance: '' })}`;
}
