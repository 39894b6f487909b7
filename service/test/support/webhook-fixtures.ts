import { NO_DEV_ALLOW } from '../../src/webhooks/address/dev-allow.ts';
import { createEndpoint } from '../../src/webhooks/endpoint/endpoint-actions.ts';
import type { WebhookTemplate, WebhookDeps } from '../../src/webhooks/webhook-deps.ts';
import type { Db } from '../../src/storage/db.ts';
import { accountWorld, type AccountWorld, addCustomer, TESTER } from './account-world.ts';

/** A template that tests subscribe to. */
const SCHEDULE: WebhookTemplate = {
  templateId: 'earnings_schedule',
  eventType: 'earnings_schedule.changed',
  describe: 'The schedule changed.',
  fields: ['date', 'eps'],
};

export const RECEIVER = 'https://hooks.receiver.example/earnings';

/** What acts on endpoints work with; the data of every company are `data`. */
export function webhookWorld(
  db: Db,
  data: ReadonlyMap<string, string> = new Map(),
): AccountWorld & WebhookDeps {
  return { ...accountWorld(db), webhooks: webhookFacts(data) };
}

export function webhookFacts(data: ReadonlyMap<string, string> = new Map()) {
  return {
    templates: [SCHEDULE],
    urlRules: { ports: [443], devAllow: NO_DEV_ALLOW },
    loadSourceData: () =>
      Promise.resolve(({ symbol }: { symbol: string }) => data.get(symbol) ?? null),
    wake: () => undefined,
  };
}

/** An endpoint of a new customer, with its secret. */
export async function addEndpoint(deps: WebhookDeps, customerName: string) {
  const customerId = await addCustomer(deps, customerName);
  const made = await createEndpoint(deps, { customerId, url: RECEIVER }, TESTER);
  if (made.kind !== 'created') throw new Error(JSON.stringify(made));
  return { customerId, endpointId: made.id, secret: made.secret };
}
