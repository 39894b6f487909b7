import type { FastifyInstance } from 'fastify';
import packageJson from '../../package.json' with { type: 'json' };
import { makeSetupToken } from '../accounts/people/setup.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Gatherer } from '../datasets/jobs/gatherer.ts';
import type { Decide } from '../datasets/quarantine/decide.ts';
import type { ReadApiAccess } from './read-api.ts';
import type { ResponseCache } from '../http/response-cache.ts';
import { createExplorer } from '../http/response/explorer.ts';
import type { DataSource } from '../http/response/cached-response.ts';
import { printManagementApi } from '../http/management/openapi.ts';
import { serveManagement } from '../http/management/serve.ts';
import { routeGroups } from '../http/management/routes/registry.gen.ts';
import { addText } from '../http/pages/add-text.ts';
import { trustedProxies } from '../http/client-address.ts';
import { minuteLimit } from '../metering/sliding-window-limiter.ts';
import { createRequestIds } from '../http/request/request-id.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Random } from '../platform/random.ts';
import type { SecretCipher } from '../platform/encryption.ts';
import type { Settings } from '../config/settings.ts';
import { refuseMissingPlan } from './sign-up-plan.ts';
import type { Db } from '../storage/db.ts';
import { storeFolder, type StoreKind } from './store-kind.ts';
import { webhookFacts } from './webhook-facts.ts';

/** Accounts and operators: the management interface, and what it needs. */
export interface ManagementApi {
  /** Opens the account of the first operator; null when there is one. */
  setupToken: string | null;
  /** Adds the management calls to what needs no read key. */
  serve(app: FastifyInstance, publicUrl: string): Promise<void>;
}

/** How often a person may look at data on pages: more than anybody clicks, less than a program. */
const LOOKS_PER_MINUTE = 120;

export async function createManagementApi(options: {
  db: Db;
  clock: Clock;
  random: Random;
  log: Log;
  /** Seals what is secret in the store. */
  cipher: SecretCipher;
  door: ReadApiAccess;
  settings: Settings;
  kind: StoreKind;
  dataSource: DataSource;
  /** The read endpoints and their kept answers, which pages show too. */
  endpoints: readonly Endpoint[];
  cache: ResponseCache;
  decideQuarantined: Decide;
  gatherer: Gatherer;
  onCalendarChange: () => Promise<void>;
  /** Tells the sender of deliveries, where one runs in this process, that there is something to do. */
  wakeWebhooks?: () => void;
}): Promise<ManagementApi> {
  const { db, clock, random, log, cipher: box, door, settings, kind } = options;
  const folder = storeFolder(settings.dataDir, kind);
  await refuseMissingPlan(db, settings.signUpPlan);
  const proxies = trustedProxies(settings.trustProxy ?? []);
  const startedAt = clock.now();
  const { endpoints, cache, dataSource } = options;
  const explorer = createExplorer({ endpoints, cache, db, dataSource });
  const looks = minuteLimit(clock, LOOKS_PER_MINUTE);
  return {
    setupToken: await makeSetupToken({ db, clock, random }),
    async serve(app, publicUrl) {
      const brand = settings.brand ?? 'Afterbell';
      const described = printManagementApi({ groups: routeGroups, publicUrl, brand });
      addText(app, '/account/openapi.json', 'application/json', `${JSON.stringify(described)}\n`);
      await serveManagement(app, {
        routes: routeGroups.flatMap(({ routes }) => routes),
        keys: door.keys,
        failedAuthLimiter: door.strangers,
        keyUse: door.keyUse,
        log,
        nextRequestId: createRequestIds(random),
        addressOf: ({ socket, headers }) =>
          proxies.clientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for']),
        deps: {
          db,
          clock,
          random,
          log,
          cipher: box,
          publicUrl,
          keyKind: kind === 'sandbox' ? 'test' : 'live',
          brand,
          statedUrl: settings.publicUrl,
          signUpPlan: settings.signUpPlan,
          refreshKeys: () => door.keys.refresh(),
          onCalendarChange: options.onCalendarChange,
          meter: door.meter,
          webhooks: webhookFacts(settings, options.wakeWebhooks),
          explorer,
          looks,
          decideQuarantined: options.decideQuarantined,
          gatherer: options.gatherer,
          system: {
            version: packageJson.version,
            dataSource,
            startedAt,
            dataFolder: settings.databaseUrl === null ? folder : null,
          },
        },
      });
    },
  };
}
