import { type Actor, type NewAuditEvent, recordAuditEvent } from '../../accounts/audit-log.ts';
import { lockCustomer } from '../../accounts/customers/customer-store.ts';
import { invalid, type Invalid, notFound, type NotFound } from '../../accounts/deps.ts';
import { parseSymbol } from '../../domain/symbol.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { findEndpoint } from '../endpoint/webhook-endpoint.ts';
import { checkActionRate, type RateLimited } from '../../accounts/action-rate.ts';
import {
  type ManualDeps,
  createTestDelivery,
  recoverDeliveries,
  redeliver,
  type RedeliveryOutcome,
} from './redeliver.ts';
import { findTestSymbol } from '../subscription/find-test-symbol.ts';
import type { Conflict, EndpointIds, WebhookDeps } from '../webhook-deps.ts';

/**
 * Actions that people perform on deliveries. Each action is recorded in the audit log in the same
 * transaction.
 */

/** Sends current data for a finished delivery again, under a new ID. */
export async function redeliverDelivery(
  deps: WebhookDeps,
  { customerId, deliveryId }: { customerId: string; deliveryId: string },
  actor: Actor,
): Promise<RedeliveryOutcome> {
  const outcome = await runAction(deps, async (context, record) => {
    const redelivery = await redeliver(context, { customerId, deliveryId });
    if (redelivery.kind === 'opened') {
      await record({
        actor,
        action: 'delivery.redeliver',
        subject: deliveryId,
        customerId,
        details: { opened: redelivery.id },
      });
    }
    return redelivery;
  });
  deps.webhooks.wake();
  return outcome;
}

/**
 * Sends current data for each symbol whose latest delivery since the given time did not succeed.
 */
export async function recoverEndpoint(
  deps: WebhookDeps,
  { customerId, endpointId, since }: EndpointIds & { since: Instant },
  actor: Actor,
): Promise<{ kind: 'opened'; count: number } | NotFound> {
  const outcome = await runAction(deps, async (context, record) => {
    const count = await recoverDeliveries(context, { customerId, endpointId, since });
    if (count === null) return notFound;
    const details = { since, count };
    await record({ actor, action: 'delivery.recover', subject: endpointId, customerId, details });
    return { kind: 'opened' as const, count };
  });
  deps.webhooks.wake();
  return outcome;
}

/** Maximum number of test deliveries per account and minute. */
export const TESTS_PER_MINUTE = 10;
const TEST_ACTION = 'delivery.test';

export type TestDeliveryOutcome =
  | { kind: 'opened'; id: string; symbol: string }
  | NotFound
  | Invalid
  | Conflict
  | RateLimited;

/**
 * Sends a test delivery in a single attempt, with the current data for the given symbol, or for a
 * subscribed symbol if none is given. Test data is never made up.
 */
export async function sendTest(
  deps: WebhookDeps,
  options: EndpointIds & { templateId: string; symbol?: string | undefined },
  actor: Actor,
): Promise<TestDeliveryOutcome> {
  const { webhooks } = deps;
  const { templateId, symbol: text, ...ids } = options;
  const { customerId, endpointId } = ids;
  const template = webhooks.templates.find((each) => each.templateId === templateId);
  if (template === undefined) return unknownTemplate(deps);
  const requested = text === undefined ? null : parseSymbol(text);
  if (text !== undefined && requested === null) return invalid('symbol', 'must be a ticker symbol');
  const outcome = await runAction(deps, async (context, record): Promise<TestDeliveryOutcome> => {
    const { tx, now } = context;
    // Serializes a customer's concurrent tests, so that the rate limit counts all of them.
    if ((await lockCustomer(tx, customerId)) === null) return notFound;
    if ((await findEndpoint(tx, ids)) === null) return notFound;
    const symbol = requested ?? (await findTestSymbol(tx, { endpointId, templateId }));
    if (symbol === null) return NO_SYMBOL_WITH_DATA;
    const dataOf = await webhooks.loadSourceData(tx, [{ templateId, symbol }], now);
    if (dataOf({ templateId, symbol }) === null) return invalid('symbol', `${symbol} has no data`);
    const limit = { customerId, now, prefix: TEST_ACTION, perMinute: TESTS_PER_MINUTE };
    const rateLimited = await checkActionRate(tx, limit);
    if (rateLimited !== null) return rateLimited;
    const { eventType } = template;
    const created = await createTestDelivery(context, {
      endpointId,
      templateId,
      eventType,
      symbol,
    });
    if (created.kind === 'not-found') return notFound;
    const details = { templateId, symbol, opened: created.id };
    await record({ actor, action: TEST_ACTION, subject: endpointId, customerId, details });
    return { kind: 'opened', id: created.id, symbol };
  });
  webhooks.wake();
  return outcome;
}

/** Returns the rejection of an unknown template, which lists the known templates. */
export function unknownTemplate({ webhooks }: WebhookDeps): Invalid {
  const ids = webhooks.templates.map(({ templateId }) => templateId).join(', ');
  return invalid('templateId', `must be one of ${ids}`);
}

const NO_SYMBOL_WITH_DATA: Conflict = {
  kind: 'conflict',
  detail: 'No subscribed symbol has data. Name a symbol that has some.',
};

function runAction<Outcome>(
  { db, clock, random }: WebhookDeps,
  work: (
    context: ManualDeps,
    record: (event: Omit<NewAuditEvent, 'at'>) => Promise<void>,
  ) => Promise<Outcome>,
): Promise<Outcome> {
  return db.transaction((tx: Transaction) => {
    const now = clock.now();
    return work({ tx, random, now }, (event) => recordAuditEvent(tx, { ...event, at: now }));
  });
}
