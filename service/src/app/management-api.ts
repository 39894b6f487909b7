import { topics } from '../datasets/topics.gen.ts';
import type { FastifyInstance } from 'fastify';
import packageJson from '../../package.json' with { type: 'json' };
import { createSetupToken } from '../accounts/people/setup.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { trustedProxies } from '../http/client-address.ts';
import type { ManagementDeps } from '../http/management/deps.ts';
import { printManagementApi } from '../http/management/openapi.ts';
import { routeGroups } from '../http/management/routes/registry.gen.ts';
import { serveManagement } from '../http/management/serve.ts';
import { addText } from '../http/pages/add-text.ts';
import { createRequestIds } from '../http/request/request-id.ts';
import type { CheckCompute } from '../http/compute-limit.ts';
import type { DataSource } from '../http/response/cached-response.ts';
import { createExplorer } from '../http/response/explorer.ts';
import { changeSandbox } from '../ingest/change-sandbox.ts';
import { decideQuarantined } from '../ingest/decide-quarantined.ts';
import { createIngestionControl } from '../ingest/ingestion-control.ts';
import { createSlidingWindowLimiter } from '../metering/sliding-window-limiter.ts';
import type { SecretCipher } from '../platform/encryption.ts';
import type { WorkQueue } from '../platform/fair-queue.ts';
import { providers } from '../providers/registry.gen.ts';
import type { AppContext } from './context.ts';
import type { IngestionView } from './ingestion.ts';
import type { NodeProcess } from './processes/node-process.ts';
import type { ReadApiAccess } from './read-api.ts';
import type { CachedReads } from './response-cache.ts';
import { requireSignUpPlan, sandboxOptions } from './store-kind.ts';
import { webhookFacts } from './webhook-facts.ts';

/** The management API for accounts and operators. */
export interface ManagementApi {
  /** One-time token that creates the first operator; null once an operator exists. */
  setupToken: string | null;
  /** Adds the management API's routes. */
  serve(routes: FastifyInstance): Promise<void>;
}

/**
 * Maximum number of data views per minute and person: more than a person can reach by clicking, but
 * less than a program needs.
 */
const VIEWS_PER_MINUTE = 120;

interface ManagementParts {
  cipher: SecretCipher;
  access: ReadApiAccess;
  ingestion: IngestionView;
  endpoints: readonly Endpoint[];
  cachedReads: Pick<CachedReads, 'cache'>;
  queue: WorkQueue;
  checkCompute: CheckCompute;
  dataSource: DataSource;
  /** Base URL for links, without a trailing slash. */
  publicUrl: string;
}

/**
 * Creates the management API. Throws `StoreKindError` if the plan in SIGN_UP_PLAN does not exist.
 */
export async function createManagementApi(
  app: AppContext,
  parts: ManagementParts,
): Promise<ManagementApi> {
  const { db, clock, random, log, settings } = app;
  const { access, publicUrl } = parts;
  app.metrics.hashing();
  await requireSignUpPlan(db, settings.signUpPlan);
  const proxies = trustedProxies(settings.trustProxy ?? []);
  const deps = createDeps(app, parts);
  return {
    setupToken: mayCreateSetupToken(app.process)
      ? await createSetupToken({ db, clock, random })
      : null,
    async serve(routes) {
      const document = printManagementApi({ groups: routeGroups, publicUrl, brand: deps.brand });
      const text = `${JSON.stringify(document)}\n`;
      addText(routes, '/account/openapi.json', 'application/json', text);
      await serveManagement(routes, {
        routes: routeGroups.flatMap((group) => group.routes),
        keys: access.keys,
        failedAuthLimiter: access.failedAuthLimiter,
        security: app.security,
        keyUse: access.keyUse,
        log,
        nextRequestId: createRequestIds(random),
        addressOf: ({ socket, headers }) =>
          proxies.clientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for']),
        deps,
      });
    },
  };
}

/** A new token replaces the one before, which the node has printed. */
function mayCreateSetupToken(process: NodeProcess | null): boolean {
  return process === null || (process.number === 1 && process.isFirstStart);
}

function createDeps(app: AppContext, parts: ManagementParts): ManagementDeps {
  const { db, clock, random, log, settings, folder, notifications } = app;
  const { cipher, access, ingestion, endpoints, dataSource, publicUrl } = parts;
  const { cachedReads, checkCompute, queue } = parts;
  const { cache } = cachedReads;
  const { checkQuota } = access;
  return {
    db,
    clock,
    random,
    log,
    cipher,
    queue,
    publicUrl,
    keyKind: app.kind === 'sandbox' ? 'test' : 'live',
    brand: settings.brand ?? 'Afterbell',
    configuredUrl: settings.publicUrl,
    secondFactorRule: settings.requireSecondFactor,
    signUpPlan: settings.signUpPlan,
    refreshKeys: () => access.keys.refresh(),
    onCalendarChange: async () => cache.invalidate([topics.marketOverrides.any]),
    meter: access.meter,
    webhooks: webhookFacts(settings, notifications.notifyDeliveriesDue),
    explorer: createExplorer({ endpoints, cache, db, dataSource, checkQuota, checkCompute }),
    dataViewLimit: createSlidingWindowLimiter(clock, VIEWS_PER_MINUTE),
    decideQuarantined: (entry, also) =>
      decideQuarantined({ db, onCommit: notifications.notifyCommitted }, entry, also),
    changeSandbox:
      app.kind === 'sandbox'
        ? (request) =>
            changeSandbox(
              { db, clock, onCommit: notifications.notifyCommitted },
              sandboxOptions(settings),
              request,
            )
        : null,
    gatherer: createIngestionControl({
      db,
      clock,
      random,
      providers,
      enabled: ingestion.sources,
      planContext: ingestion.planContext,
      cooldown: ingestion.cooldown,
      setting: (name) => settings.sourceSettings.get(name),
    }),
    system: {
      version: packageJson.version,
      dataSource,
      startedAt: clock.now(),
      dataFolder: settings.databaseUrl === null ? folder : null,
    },
  };
}
