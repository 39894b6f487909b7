import { fastify } from 'fastify';
import type { Role } from '../../src/accounts/authorise.ts';
import { COMMAND_LINE } from '../../src/accounts/audit/record.ts';
import { createCustomer } from '../../src/accounts/customers/customers.ts';
import { createKey } from '../../src/accounts/keys/create-key.ts';
import type { KeyScope } from '../../src/accounts/keys/api-key.ts';
import { startKeyRing } from '../../src/accounts/keys/key-ring.ts';
import { addPerson } from '../../src/accounts/people/add-person.ts';
import { readEmail } from '../../src/accounts/people/email.ts';
import { startSession } from '../../src/accounts/sessions/sessions.ts';
import { serveManagement } from '../../src/http/management/serve.ts';
import type { Route } from '../../src/http/management/route.ts';
import { routeGroups } from '../../src/http/management/routes/registry.gen.ts';
import { fakeClock } from '../../src/platform/fake-clock.ts';
import { memoryLog } from '../../src/platform/log.ts';
import { seededRandom } from '../../src/platform/random.ts';
import { createSecretBox } from '../../src/platform/secret-box.ts';
import type { Db } from '../../src/storage/db.ts';

export const ORIGIN = 'http://data.example';

/** What a call comes back with. */
export interface Reply {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  json: Record<string, unknown> & { id: string; key: string; code: string };
  rows: Record<string, unknown>[];
}

/** The management interface over a store, without a network: calls go in as a framework has them. */
export async function startManagement(db: Db) {
  const clock = fakeClock(Date.UTC(2026, 10, 20, 15, 30));
  const random = seededRandom(7);
  const log = memoryLog();
  const keys = await startKeyRing({ db, clock, log });
  const box = createSecretBox([new Uint8Array(32).fill(7)], random);
  const deps = {
    ...({ db, clock, random, log, box, keyKind: 'test', publicUrl: ORIGIN } as const),
    refreshKeys: () => keys.refresh(),
  };
  const app = fastify();
  let requests = 0;
  await serveManagement(app, {
    routes: routeGroups.flatMap(({ routes }) => routes),
    deps,
    keys,
    log,
    nextRequestId: () => `req_${(requests += 1)}`,
    addressOf: () => '198.51.100.7',
  });

  async function call(
    method: Route['method'],
    url: string,
    options: { headers?: Record<string, string>; body?: unknown } = {},
  ): Promise<Reply> {
    const { headers = {}, body } = options;
    const sent = await app.inject({
      ...{ method, url, headers: { host: 'data.example', ...headers } },
      ...(body === undefined
        ? {}
        : {
            payload: JSON.stringify(body),
            headers: { 'content-type': 'application/json', host: 'data.example', ...headers },
          }),
    });
    const isJson = String(sent.headers['content-type']).includes('json');
    const json: unknown = isJson ? JSON.parse(sent.body) : null;
    return {
      status: sent.statusCode,
      headers: sent.headers,
      text: sent.body,
      json: json as Reply['json'],
      rows: json as Reply['rows'],
    };
  }

  /** A customer of its own, with its id. */
  async function customer(name: string, plan = 'pro'): Promise<string> {
    const made = await createCustomer(deps, { name, plan }, COMMAND_LINE);
    if (made.kind !== 'created') throw new Error(made.kind);
    return made.customer.id;
  }

  /** Somebody who is signed in: the headers their browser sends with a page's calls. */
  async function person(role: Role, customerId: string | null) {
    const address = `${role}-${(requests += 1)}@example.com`;
    const email = readEmail(address);
    if (email === null) throw new Error('no address');
    return db.transaction(async (tx) => {
      const wanted = { email, role, customerId, passwordHash: null };
      const made = await addPerson(tx, deps, wanted, COMMAND_LINE);
      if (made === null) throw new Error('taken');
      const visitor = { address: '198.51.100.7', userAgent: 'test' };
      const { token } = await startSession(tx, deps, made.id, visitor);
      return {
        id: made.id,
        email: address,
        headers: { cookie: `session=${token}`, origin: ORIGIN },
      };
    });
  }

  /** A key of a customer, as the headers of a program. */
  async function program(customerId: string, scopes: KeyScope[] = ['manage']) {
    const options = { customerId, kind: 'test', scopes } as const;
    const made = await createKey(deps, options, COMMAND_LINE);
    if (made.kind !== 'created') throw new Error(made.kind);
    await keys.refresh();
    return { id: made.record.id, key: made.key, headers: { 'x-api-key': made.key } };
  }

  return {
    ...{ clock, log, keys, deps, call, customer, person, program },
    async stop() {
      keys.stop();
      await app.close();
    },
  };
}

export type Management = Awaited<ReturnType<typeof startManagement>>;
