import { fastify } from 'fastify';
import type { Role } from '../../src/accounts/permissions.ts';
import { COMMAND_LINE } from '../../src/accounts/audit-log.ts';
import { createCustomer } from '../../src/accounts/customers/customers.ts';
import { createKey } from '../../src/accounts/keys/create-key.ts';
import type { KeyScope } from '../../src/accounts/keys/api-key.ts';
import { startApiKeyCache } from '../../src/accounts/keys/api-key-cache.ts';
import { startKeyUseRecorder } from '../../src/accounts/keys/key-last-used.ts';
import { hashPassword } from '../../src/accounts/passwords/password-hash.ts';
import { addPerson } from '../../src/accounts/people/add-person.ts';
import { readEmail } from '../../src/accounts/people/email.ts';
import { startSession } from '../../src/accounts/sessions/sessions.ts';
import type { DecideQuarantined, DecisionEntry } from '../../src/datasets/quarantine/decisions.ts';
import { newYorkDate } from '../../src/domain/new-york.ts';
import { createGatherer } from '../../src/ingest/gatherer.ts';
import { providers } from '../../src/providers/registry.gen.ts';
import { decideQuarantined } from '../../src/ingest/decide-quarantined.ts';
import { endpoints } from '../../src/endpoints/registry.gen.ts';
import { ResponseCache } from '../../src/http/response-cache.ts';
import { createExplorer } from '../../src/http/response/explorer.ts';
import { serveManagement } from '../../src/http/management/serve.ts';
import type { Route } from '../../src/http/management/route.ts';
import { routeGroups } from '../../src/http/management/routes/registry.gen.ts';
import { sessionCookie } from '../../src/http/management/session-cookie.ts';
import { createFailedAuthLimiter } from '../../src/metering/failed-auth-limiter.ts';
import { createSlidingWindowLimiter } from '../../src/metering/sliding-window-limiter.ts';
import { startLocalMeter } from '../../src/metering/local-quota-meter.ts';
import { fakeClock } from './fake-clock.ts';
import { memoryLog } from './logs.ts';
import { seededRandom } from '../../src/platform/random.ts';
import { createSecretCipher } from '../../src/platform/encryption.ts';
import type { Db } from '../../src/storage/db.ts';
import { webhookFacts } from './webhook-fixtures.ts';

export const ORIGIN = 'http://data.example';

/** The password of everybody who is made by `person`. */
export const PASSWORD = 'a heron waits in the reeds';

/** Sources that the store asks. */
const IN_USE = ['nasdaq', 'us-agencies'];

/** What a call comes back with. */
export interface Reply {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  json: Record<string, unknown> & { id: string; key: string; code: string };
  rows: Record<string, unknown>[];
}

/** A call and what came back, as far as a hunt for secrets needs it. */
export interface Exchange {
  method: string;
  url: string;
  sent: unknown;
  reply: Reply;
}

export interface ManagementTestOptions {
  publicUrl?: string;
  /** Null: the operator did not say where the service stands. */
  statedUrl?: string | null;
  signUpPlan?: string;
  /** Calls of a test alone, beside those that are shipped. */
  moreRoutes?: readonly Route[];
  onCalendarChange?(): Promise<void>;
}

/** The management interface over a store, without a network: calls go in as a framework has them. */
export async function startManagement(db: Db, options: ManagementTestOptions = {}) {
  const publicUrl = options.publicUrl ?? ORIGIN;
  const clock = fakeClock(Date.UTC(2026, 10, 20, 15, 30));
  const random = seededRandom(7);
  const log = memoryLog();
  const keys = await startApiKeyCache({ db, clock, log });
  const keyUse = startKeyUseRecorder({ db, clock, log });
  const meter = await startLocalMeter({ db, clock, log });
  const cipher = createSecretCipher([new Uint8Array(32).fill(7)], random);
  const deps = {
    ...({ db, clock, random, log, cipher, keyKind: 'test', publicUrl, meter } as const),
    brand: 'Quiet Data',
    statedUrl: options.statedUrl === undefined ? publicUrl : options.statedUrl,
    signUpPlan: options.signUpPlan ?? null,
    refreshKeys: () => keys.refresh(),
    onCalendarChange: options.onCalendarChange ?? (() => Promise.resolve()),
    explorer: createExplorer({
      endpoints,
      db,
      dataSource: 'synthetic',
      cache: new ResponseCache({ sizeMaxBytes: 1e6 }),
    }),
    gatherer: createGatherer({
      db,
      clock,
      random,
      providers,
      inUse: providers.filter(({ name }) => IN_USE.includes(name)),
      setting: () => undefined,
      planContext: () =>
        Promise.resolve({
          now: clock.now(),
          today: newYorkDate(clock.now()),
          ciks: new Map<string, string>(),
          setting: () => undefined,
        }),
      resting: (name) =>
        name === 'us-agencies'
          ? {
              reason: 'blocked',
              retryAt: clock.now() + 6e4,
            }
          : null,
    }),
    decideQuarantined: (entry: DecisionEntry, also: Parameters<DecideQuarantined>[1]) =>
      decideQuarantined({ db, onCommit: () => undefined }, entry, also),
    looks: createSlidingWindowLimiter(clock, 120),
    webhooks: webhookFacts(new Map([['ACME', '{"date":"2026-11-24","eps":null}']])),
    system: {
      version: '1.2.3',
      dataSource: 'synthetic',
      startedAt: clock.now(),
      dataFolder: import.meta.dirname,
    },
  };
  const app = fastify();
  let requests = 0;
  await serveManagement(app, {
    routes: [...routeGroups.flatMap(({ routes }) => routes), ...(options.moreRoutes ?? [])],
    deps,
    keys,
    keyUse,
    failedAuthLimiter: createFailedAuthLimiter({ clock }),
    log,
    nextRequestId: () => `req_${(requests += 1)}`,
    addressOf: ({ headers }) => String(headers['x-test-address'] ?? '198.51.100.7'),
  });
  const exchanges: Exchange[] = [];
  /** Made here and not by a call. */
  const secrets = new Set<string>();
  const passwordHash = await hashPassword(PASSWORD, random);
  const cookieName = sessionCookie(publicUrl).name;

  async function call(
    method: Route['method'],
    url: string,
    given: { headers?: Record<string, string | string[]>; body?: unknown } = {},
  ): Promise<Reply> {
    const { headers = {}, body } = given;
    const host = new URL(publicUrl).host;
    const sent = await app.inject({
      method,
      url,
      headers: {
        host,
        ...headers,
      },
      ...(body === undefined
        ? {}
        : {
            payload: JSON.stringify(body),
            headers: {
              'content-type': 'application/json',
              host,
              ...headers,
            },
          }),
    });
    const isJson = String(sent.headers['content-type']).includes('json');
    const json: unknown = isJson ? JSON.parse(sent.body) : null;
    const reply = {
      status: sent.statusCode,
      headers: sent.headers,
      text: sent.body,
      json: json as Reply['json'],
      rows: json as Reply['rows'],
    };
    exchanges.push({ method, url, sent: body, reply });
    return reply;
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
      const wanted = { email, role, customerId, passwordHash };
      const made = await addPerson(tx, deps, wanted, COMMAND_LINE);
      if (made === null) throw new Error('taken');
      const visitor = { address: '198.51.100.7', userAgent: 'test' };
      const { token, session } = await startSession(tx, deps, made.id, visitor);
      secrets.add(token);
      return {
        id: made.id,
        email: address,
        sessionId: session.id,
        headers: {
          cookie: `${cookieName}=${token}`,
          origin: publicUrl,
        },
      };
    });
  }

  /** A key of a customer, as the headers of a program. */
  async function program(customerId: string, scopes: KeyScope[] = ['manage']) {
    const wanted = { customerId, kind: 'test', scopes } as const;
    const made = await createKey(deps, wanted, COMMAND_LINE);
    if (made.kind !== 'created') throw new Error(made.kind);
    secrets.add(made.key);
    await keys.refresh();
    return { id: made.record.id, key: made.key, headers: { 'x-api-key': made.key } };
  }

  /** The headers of a browser that was given this cookie. */
  function browserOf(reply: Reply): Record<string, string> {
    const cookie = /^[^;]*/.exec(cookieOf(reply))?.[0] ?? '';
    return { cookie, origin: publicUrl };
  }

  return {
    clock,
    log,
    keys,
    deps,
    call,
    customer,
    person,
    program,
    browserOf,
    exchanges,
    secrets,
    async stop() {
      keys.stop();
      await keyUse.stop();
      await meter.stop();
      await app.close();
    },
  };
}

/** The header that sets the session cookie; empty when there is none. */
export function cookieOf(reply: Reply): string {
  const header = reply.headers['set-cookie'];
  return typeof header === 'string' ? header : '';
}

export type Management = Awaited<ReturnType<typeof startManagement>>;
