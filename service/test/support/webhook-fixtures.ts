import { NO_DEV_ALLOW } from '../../src/webhooks/address/dev-allow.ts';
import { createEndpoint } from '../../src/webhooks/endpoint/endpoint-actions.ts';
import type { WebhookTemplate, WebhookDeps } from '../../src/webhooks/webhook-deps.ts';
import type { Db } from '../../src/storage/db.ts';
import { accountWorld, type AccountWorld, addCustomer, TESTER } from './account-world.ts';

/** The template used by tests. */
const SCHEDULE: WebhookTemplate = {
  templateId: 'earnings_schedule',
  eventType: 'earnings_schedule.changed',
  describe: 'The schedule changed.',
  fields: ['date', 'eps'],
};

export const RECEIVER = 'https://hooks.receiver.example/earnings';

/** Creates the dependencies for webhook actions. `data` maps symbols to payload data. */
export function webhookWorld(
  db: Db,
  data: ReadonlyMap<string, string> = new Map(),
): AccountWorld & WebhookDeps {
  return { ...accountWorld(db), webhooks: webhookContext(data) };
}

export function webhookContext(data: ReadonlyMap<string, string> = new Map()) {
  return {
    templates: [SCHEDULE],
    urlRules: { ports: [443], devAllow: NO_DEV_ALLOW },
    loadSourceData: () =>
      Promise.resolve(({ symbol }: { symbol: string }) => data.get(symbol) ?? null),
    wake: () => undefined,
  };
}

/** Creates a customer with an endpoint. */
export async function addEndpoint(deps: WebhookDeps, customerName: string) {
  const customerId = await addCustomer(deps, customerName);
  const outcome = await createEndpoint(deps, { customerId, url: RECEIVER }, TESTER);
  if (outcome.kind !== 'created') throw new Error(JSON.stringify(outcome));
  return { customerId, endpointId: outcome.id, secret: outcome.secret };
}
