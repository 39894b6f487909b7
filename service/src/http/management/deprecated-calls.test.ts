import { afterAll, beforeAll, expect, test } from 'vitest';
import { Type } from 'typebox';
import {
  type Management,
  ORIGIN,
  startManagement,
} from '../../../test/support/management-server.ts';
import { memoryStore } from '../../../test/support/stores.ts';
import { localDate } from '../../domain/local-date.ts';
import { named } from '../../endpoints/schema/fields.ts';
import type { Db } from '../../storage/db.ts';
import { printManagementApi } from './openapi.ts';
import { defineRoute, done } from './route.ts';
import { routeGroups } from './routes/registry.gen.ts';

/** A deprecated call used only in this test. A second method on the same path is not deprecated. */
const oldCall = defineRoute({
  name: 'old-things-create',
  method: 'POST',
  path: '/account/v1/old-things',
  summary: 'Makes a thing',
  describe: 'Made up.',
  access: 'keys.create',
  status: 200,
  body: Type.Object({ name: Type.String() }),
  response: named('OldThing', { name: Type.String() }),
  deprecated: {
    since: localDate('2026-12-01'),
    sunset: localDate('2027-12-01'),
    link: 'https://data.example/guides/versions',
    successor: '/account/v1/things',
  },
  handle: ({ body }) =>
    body.name === 'broken' ? Promise.reject(new Error(body.name)) : Promise.resolve(done(body)),
});
const newCall = defineRoute({
  name: 'old-things-list',
  method: 'GET',
  path: '/account/v1/old-things',
  summary: 'Things',
  access: 'keys.list',
  status: 200,
  response: null,
  handle: () => Promise.resolve(done()),
});

const SAID = {
  deprecation: '@1796101200',
  sunset: 'Wed, 01 Dec 2027 05:00:00 GMT',
  link: [
    '<https://data.example/guides/versions>; rel="deprecation"; type="text/html"',
    '<https://data.example/guides/versions>; rel="sunset"; type="text/html"',
    '</account/v1/things>; rel="successor-version"',
  ].join(', '),
};

let db: Db;
let management: Management;
beforeAll(async () => {
  db = await memoryStore();
  management = await startManagement(db, { moreRoutes: [oldCall, newCall] });
});
afterAll(async () => {
  await management.stop();
  await db.close();
});

test('serves a deprecated call and announces its deprecation, even on problem and error responses', async () => {
  const owner = await management.person('owner', await management.customer('Acme'));
  const post = (body: unknown) => management.call('POST', oldCall.path, { ...owner, body });
  const answers = [
    await post({ name: 'a' }),
    await post({ more: 1 }),
    await post({ name: 'broken' }),
    await management.call('POST', oldCall.path, { headers: { origin: ORIGIN }, body: {} }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 500, 401]);
  for (const { headers } of answers) expect(headers).toMatchObject(SAID);
  const { status, headers } = await management.call('GET', newCall.path, owner);
  expect(status).toBe(200);
  expect(headers).not.toHaveProperty('deprecation');
});

test('marks a deprecated call in the API description with its sunset date and a link', () => {
  const group = { name: 'old-things', describe: 'Made up.', routes: [oldCall] };
  const { paths } = printManagementApi({ groups: [group], publicUrl: '/', brand: 'Service' });
  expect(paths).toMatchObject({
    [oldCall.path]: {
      post: {
        deprecated: true,
        'x-sunset': '2027-12-01',
        externalDocs: { url: 'https://data.example/guides/versions' },
        description:
          'Made up.\n\nRequires a session with the permission `keys.create`, or a key with the ' +
          'scope `manage`.\n\nDeprecated since 2026-12-01. Available until at least 2027-12-01. ' +
          'Use /account/v1/things instead. See https://data.example/guides/versions.',
      },
    },
  });
});

test('keeps deprecated calls for at least a year after their deprecation', () => {
  const routes = [oldCall, ...routeGroups.flatMap((group) => group.routes)];
  for (const { name, deprecated } of routes) {
    if (deprecated === undefined || deprecated.sunset === null) continue;
    const apartMs = Date.parse(deprecated.sunset) - Date.parse(deprecated.since);
    expect(apartMs, name).toBeGreaterThanOrEqual(365 * 86_400_000);
  }
});
