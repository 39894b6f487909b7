import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify';
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
import type { IngestionControl } from '../../src/datasets/jobs/ingestion-control.ts';
import { newYorkDate } from '../../src/domain/new-york.ts';
import { createIngestionControl } from '../../src/ingest/ingestion-control.ts';
import { providers } from '../../src/providers/registry.gen.ts';
import { decideQuarantined } from '../../src/ingest/decide-quarantined.ts';
import { endpoints } from '../../src/endpoints/registry.gen.ts';
import { ResponseCache } from '../../src/http/response-cache.ts';
import { createExplorer } from '../../src/http/response/explorer.ts';
import { computeCheck } from '../../src/http/compute-limit.ts';
import { quotaCheck } from '../../src/http/quota.ts';
import { ROUTER_OPTIONS } from '../../src/http/limits.ts';
import type { ManagementDeps } from '../../src/http/management/deps.ts';
import { serveManagement } from '../../src/http/management/serve.ts';
import type { Route } from '../../src/http/management/route.ts';
import { routeGroups } from '../../src/http/management/routes/registry.gen.ts';
import { SecurityLog } from '../../src/http/security-events.ts';
import { sessionCookie } from '../../src/http/management/session-cookie.ts';
import { ComputeBudget } from '../../src/metering/compute-budget.ts';
import { createFailedAuthLimiter } from '../../src/metering/failed-auth-limiter.ts';
import { createSlidingWindowLimiter } from '../../src/metering/sliding-window-limiter.ts';
import { startLocalMeter } from '../../src/metering/local-quota-meter.ts';
import { fakeClock } from './fake-clock.ts';
import { memoryLog } from './logs.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { RUN_AT_ONCE } from '../../src/platform/fair-queue.ts';
import { type Random, seededRandom } from '../../src/platform/random.ts';
import { createSecretCipher } from '../../src/platform/encryption.ts';
import type { Db } from '../../src/storage/db.ts';
import { webhookContext } from './webhook-fixtures.ts';

export const ORIGIN = 'http://data.example';

/** Password of every person created by `person`. */
export const PASSWORD = 'a heron waits in the reeds';

const SOURCES_IN_USE = ['nasdaq', 'us-agencies'];

export interface Reply {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  json: Record<string, unknown> & { id: string; key: string; code: string };
  rows: Record<string, unknown>[];
}

/** A request with its reply. Tests search both for secrets. */
export interface Exchange {
  method: string;
  url: string;
  sent: unknown;
  reply: Reply;
}

export interface ManagementTestOptions {
  publicUrl?: string;
  /** Value of PUBLIC_URL, or null if it is not set. */
  configuredUrl?: string | null;
  signUpPlan?: string;
  queue?: ManagementDeps['queue'];
  secondFactorRule?: ManagementDeps['secondFactorRule'];
  /** A test's own routes, in addition to the real ones. */
  moreRoutes?: readonly Route[];
  onCalendarChange?(): Promise<void>;
  /** Called before each request. May change its headers. */
  onRequest?(request: FastifyRequest): Promise<void>;
}

/** Starts the management API on a store. Requests are injected without a network. */
export async function startManagement(db: Db, options: ManagementTestOptions = {}) {
  const services = await startServices(db);
  const { clock, log, keys, keyUse, meter } = services;
  const deps = createDeps(db, services, options);
  const { publicUrl } = deps;

  const security = new SecurityLog({ ...services, count: () => undefined });
  const app = await createServer(services, deps, { ...options, security });
  const exchanges: Exchange[] = [];
  /** Secrets created by the test server itself rather than by a request. */
  const secrets = new Set<string>();

  return {
    clock,
    log,
    keys,
    deps,
    exchanges,
    secrets,

    async call(
      method: Route['method'],
      url: string,
      { headers = {}, body }: RequestParts = {},
    ): Promise<Reply> {
      const host = new URL(publicUrl).host;
      const reply = await inject(app, method, url, { headers: { host, ...headers }, body });
      exchanges.push({ method, url, sent: body, reply });
      return reply;
    },

    ...(await createActors(services, deps, secrets)),

    /** Uses up the computing time of a customer on the Free plan. */
    exhaust(customerId: string): void {
      services.computeBudget.check(customerId, { computeMsPerMinute: 10_000 });
      services.computeBudget.charge(customerId, 60_000);
    },

    /** Listens on a free port of the loopback interface and returns the URL. */
    listen: (): Promise<string> => app.listen({ host: '127.0.0.1', port: 0 }),

    /** Returns the headers of a browser that received the cookie in the reply. */
    browserOf(reply: Reply): Record<string, string> {
      const cookie = /^[^;]*/.exec(cookieOf(reply))?.[0] ?? '';
      return { cookie, origin: publicUrl };
    },

    async stop() {
      keys.stop();
      await keyUse.stop();
      await meter.stop();
      await app.close();
    },
  };
}

/** Creates the server with all routes. Nothing is received before it listens or is injected. */
async function createServer(
  { log, keys, keyUse, clock }: Services,
  deps: ManagementDeps,
  { moreRoutes = [], onRequest, security }: ManagementTestOptions & { security: SecurityLog },
): Promise<FastifyInstance> {
  const app = fastify({ routerOptions: ROUTER_OPTIONS });
  if (onRequest !== undefined) app.addHook('onRequest', onRequest);
  let requests = 0;
  await serveManagement(app, {
    routes: [...routeGroups.flatMap(({ routes }) => routes), ...moreRoutes],
    deps,
    keys,
    keyUse,
    failedAuthLimiter: createFailedAuthLimiter({ clock }),
    security,
    log,
    nextRequestId: () => `req_${(requests += 1)}`,
    addressOf: ({ headers }) => String(headers['x-test-address'] ?? '198.51.100.7'),
  });
  return app;
}

/**
 * Creates the functions that create customers, people and API keys and add their secrets to
 * `secrets`.
 */
async function createActors(
  { random, keys }: Services,
  deps: ManagementDeps,
  secrets: Set<string>,
) {
  const { publicUrl } = deps;
  const passwordHash = await hashPassword(PASSWORD, random);
  const cookieName = sessionCookie(publicUrl).name;
  let people = 0;
  return {
    /** Creates a customer and returns its ID. */
    async customer(name: string, plan = 'pro'): Promise<string> {
      const outcome = await createCustomer(deps, { name, plan }, COMMAND_LINE);
      if (outcome.kind !== 'created') throw new Error(outcome.kind);
      return outcome.customer.id;
    },

    /** Creates a signed-in person. `headers` are those of the person's browser. */
    async person(role: Role, customerId: string | null) {
      const address = `${role}-${(people += 1)}@example.com`;
      const person = await addSignedIn(deps, { address, role, customerId, passwordHash });
      secrets.add(person.token);
      const headers = { cookie: `${cookieName}=${person.token}`, origin: publicUrl };
      return { id: person.id, email: address, customerId, sessionId: person.sessionId, headers };
    },

    /** Creates an API key for a customer. `headers` are those of a program that uses it. */
    async program(customerId: string, scopes: KeyScope[] = ['manage']) {
      const settings = { customerId, kind: 'test', scopes } as const;
      const outcome = await createKey(deps, settings, COMMAND_LINE);
      if (outcome.kind !== 'created') throw new Error(outcome.kind);
      secrets.add(outcome.key);
      await keys.refresh();
      return { id: outcome.record.id, key: outcome.key, headers: { 'x-api-key': outcome.key } };
    },
  };
}

type Services = Awaited<ReturnType<typeof startServices>>;

async function startServices(db: Db) {
  const clock = fakeClock(Date.UTC(2026, 10, 20, 15, 30));
  const random = seededRandom(7);
  const log = memoryLog();
  return {
    clock,
    random,
    log,
    keys: await startApiKeyCache({ db, clock, log }),
    keyUse: startKeyUseRecorder({ db, clock, log }),
    meter: await startLocalMeter({ db, clock, log }),
    computeBudget: new ComputeBudget(clock),
  };
}

function createDeps(
  db: Db,
  { clock, random, log, keys, meter, computeBudget }: Services,
  options: ManagementTestOptions,
): ManagementDeps {
  const publicUrl = options.publicUrl ?? ORIGIN;
  const cache = new ResponseCache({ sizeMaxBytes: 1e6 });
  return {
    db,
    clock,
    random,
    log,
    meter,
    cipher: createSecretCipher([new Uint8Array(32).fill(7)], random),
    keyKind: 'test',
    queue: options.queue ?? RUN_AT_ONCE,
    publicUrl,
    configuredUrl: options.configuredUrl === undefined ? publicUrl : options.configuredUrl,
    brand: 'Quiet Data',
    secondFactorRule: options.secondFactorRule ?? 'off',
    signUpPlan: options.signUpPlan ?? null,
    refreshKeys: () => keys.refresh(),
    onCalendarChange: options.onCalendarChange ?? (() => Promise.resolve()),
    explorer: createExplorer({
      endpoints,
      db,
      dataSource: 'synthetic',
      cache,
      checkQuota: quotaCheck(meter),
      checkCompute: computeCheck(computeBudget, clock),
    }),
    gatherer: createTestIngestionControl(db, clock, random),
    changeSandbox: ({ symbol }) =>
      Promise.resolve(
        symbol === 'NONE'
          ? null
          : {
              reportId: 'ern_1',
              before: '2026-11-24',
              after: symbol === 'DONE' ? '2026-11-24' : '2026-11-25',
            },
      ),
    decideQuarantined: (entry, also) =>
      decideQuarantined({ db, onCommit: () => undefined }, entry, also),
    dataViewLimit: createSlidingWindowLimiter(clock, 120),
    webhooks: webhookContext(new Map([['ACME', '{"date":"2026-11-24","eps":null}']])),
    system: {
      version: '1.2.3',
      dataSource: 'synthetic',
      startedAt: clock.now(),
      dataFolder: import.meta.dirname,
    },
  };
}

/** Creates an ingestion control with two enabled sources, one of which is blocked. */
function createTestIngestionControl(db: Db, clock: Clock, random: Random): IngestionControl {
  const setting = () => undefined;
  return createIngestionControl({
    db,
    clock,
    random,
    providers,
    enabled: providers.filter(({ name }) => SOURCES_IN_USE.includes(name)),
    setting,
    planContext: () => {
      const now = clock.now();
      return Promise.resolve({
        now,
        today: newYorkDate(now),
        symbols: [],
        ciks: new Map(),
        setting,
      });
    },
    cooldown: (name) =>
      name === 'us-agencies' ? { reason: 'blocked', retryAt: clock.now() + 6e4 } : null,
  });
}

interface RequestParts {
  headers?: Record<string, string | string[]>;
  body?: unknown;
}

async function inject(
  app: FastifyInstance,
  method: Route['method'],
  url: string,
  { headers = {}, body }: RequestParts,
): Promise<Reply> {
  const response = await app.inject(
    body === undefined
      ? { method, url, headers }
      : {
          method,
          url,
          headers: { 'content-type': 'application/json', ...headers },
          payload: JSON.stringify(body),
        },
  );
  const isJson = String(response.headers['content-type']).includes('json');
  const json: unknown = isJson ? JSON.parse(response.body) : null;
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    json: json as Reply['json'],
    rows: json as Reply['rows'],
  };
}

async function addSignedIn(
  deps: ManagementDeps,
  person: { address: string; role: Role; customerId: string | null; passwordHash: string },
): Promise<{ id: string; sessionId: string; token: string }> {
  const { address, ...rest } = person;
  const email = readEmail(address);
  if (email === null) throw new Error(`not an email address: ${address}`);
  return deps.db.transaction(async (tx) => {
    const account = await addPerson(tx, deps, { ...rest, email }, COMMAND_LINE);
    if (account === null) throw new Error(`email address in use: ${address}`);
    const visitor = { address: '198.51.100.7', userAgent: 'test' };
    const { token, session } = await startSession(tx, deps, account, visitor);
    return { id: account.id, sessionId: session.id, token };
  });
}

/** Returns the reply's `Set-Cookie` header, or an empty text if it has none. */
export function cookieOf(reply: Reply): string {
  const header = reply.headers['set-cookie'];
  return typeof header === 'string' ? header : '';
}

export type Management = Awaited<ReturnType<typeof startManagement>>;
