import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Management,
  ORIGIN,
  startManagement,
} from '../../../test/support/management-server.ts';
import { memoryStore } from '../../../test/support/stores.ts';
import type { Db } from '../../storage/db.ts';
import { isCustomerRoute, type Route } from './route.ts';
import { routeGroups } from './routes/registry.gen.ts';
import { findUnstorableText } from './storable-text.ts';

const routes = routeGroups.flatMap((group) => group.routes);

let db: Db;
let management: Management;
let operator: Record<string, string>;
let owner: Record<string, string>;
let customerId: string;
beforeAll(async () => {
  db = await memoryStore();
  management = await startManagement(db, { signUpPlan: 'free' });
  customerId = await management.customer('Quiet Pine Research');
});
// Each test uses a new caller, because changes are rate-limited per caller.
beforeEach(async () => {
  operator = (await management.person('operator', null)).headers;
  owner = (await management.person('owner', customerId)).headers;
});
afterAll(async () => {
  await management.stop();
  await db.close();
});

function headersFor(route: Route): Record<string, string> {
  if (route.access === 'anyone') return { origin: ORIGIN };
  return isCustomerRoute(route) ? owner : operator;
}

async function ask(route: Route, url: string, body?: unknown) {
  const headers = headersFor(route);
  const given = body === undefined ? { headers } : { headers, body };
  const { status, json } = await management.call(route.method, url, given);
  return { status, parameter: json?.['parameter'] };
}

describe('text that the store cannot contain', () => {
  test.each(routes.map((route) => [route.name, route] as const))(
    '%s rejects text that the store cannot contain',
    async (_, route) => {
      const path = route.path.replaceAll(/\{\w+\}/g, 'x');
      if (path !== route.path) {
        const unsound = route.path.replaceAll(/\{\w+\}/g, '%00');
        expect((await ask(route, unsound)).status).toBe(404);
      }
      for (const name of ['extra', ...Object.keys(route.query?.properties ?? {})]) {
        expect(await ask(route, `${path}?${name}=a%00`)).toEqual({ status: 400, parameter: name });
      }
      expect(await ask(route, `${path}?a%00=1`)).toEqual({ status: 400, parameter: 'query' });
      if (route.method === 'GET') return;
      for (const name of ['extra', ...Object.keys(route.body?.properties ?? {})]) {
        for (const value of ['a\0', '\ud800', [1, '\udc00b'], { a: [{ b: '\0' }] }, { '\0': 1 }]) {
          const answer = await ask(route, path, { [name]: value });
          expect(answer).toEqual({ status: 400, parameter: name });
        }
      }
      expect(await ask(route, path, { 'a\0': 1 })).toEqual({ status: 400, parameter: 'body' });
      expect(await ask(route, path, ['\0'])).toEqual({ status: 400, parameter: 'body' });
    },
  );
});

test('rejects a customerId that contains a NUL as an invalid parameter', async () => {
  const path = '/account/v1/account?customerId=%00';
  const reply = await management.call('GET', path, { headers: operator });
  expect(reply.json).toMatchObject({ status: 400, parameter: 'customerId' });
});

test('rejects a session token that contains a NUL', async () => {
  const headers = { cookie: 'afterbell-session-80=%00', origin: ORIGIN };
  const reply = await management.call('GET', '/account/v1/session', { headers });
  expect(reply.status).toBe(401);
});

test('checks a hundred thousand nested arrays without a stack overflow', () => {
  const depth = 100_000;
  const body = JSON.parse(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`) as unknown;
  expect(findUnstorableText({ query: {}, body })).toBeNull();
});
