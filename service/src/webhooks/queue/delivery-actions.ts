import { type Actor, type NewAuditEvent, recordAuditEvent } from '../../accounts/audit-log.ts';
import { lockCustomer } from '../../accounts/customers/customer-store.ts';
import { invalid, type Invalid, notFound, type NotFound } from '../../accounts/deps.ts';
import { parseSymbol } from '../../domain/symbol.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { findEndpoint } from '../endpoint/webhook-endpoint.ts';
import { checkActionRate } from '../endpoint/endpoint-action.ts';
import {
  type ManualDeps,
  createTestDelivery,
  recoverDeliveries,
  redeliver,
  type RedeliveryOutcome,
  findTestSymbol,
} from './redeliver.ts';
import type { Conflict, EndpointIds, RateLimited, WebhookDeps } from '../webhook-deps.ts';

/** Acts on deliveries: done and written down in one transaction. */

/** Sends again what a finished delivery was about, under a new id and with the data of now. */
export async function redeliverDelivery(
  deps: WebhookDeps,
  { customerId, deliveryId }: { customerId: string; deliveryId: string },
  actor: Actor,
): Promise<RedeliveryOutcome> {
  const outcome = await act(deps, async (hand, record) => {
    const done = await redeliver(hand, { customerId, deliveryId });
    if (done.kind === 'opened') {
      const details = { opened: done.id };
      await record({
        actor,
        action: 'delivery.redeliver',
        subject: deliveryId,
        customerId,
        details,
      });
    }
    return done;
  });
  deps.webhooks.wake();
  return outcome;
}

/** Sends, for each company whose newest delivery since then was not answered 2xx, the data of now. */
export async function recoverEndpoint(
  deps: WebhookDeps,
  { customerId, endpointId, since }: EndpointIds & { since: Instant },
  actor: Actor,
): Promise<{ kind: 'opened'; count: number } | NotFound> {
  const outcome = await act(deps, async (hand, record) => {
    const count = await recoverDeliveries(hand, { customerId, endpointId, since });
    if (count === null) return notFound;
    const details = { since, count };
    await record({ actor, action: 'delivery.recover', subject: endpointId, customerId, details });
    return { kind: 'opened' as const, count };
  });
  deps.webhooks.wake();
  return outcome;
}

/** Tests of an account, a minute. */
export const TESTS_PER_MINUTE = 10;
const TEST_ACTION = 'delivery.test';

export type TestDeliveryOutcome =
  | { kind: 'opened'; id: string; symbol: string }
  | NotFound
  | Invalid
  | Conflict
  | RateLimited;

/**
 * Sends one delivery, attempted once, with the data that a company has now: of the symbol given, or
 * of a subscribed one. Data are never invented.
 */
export async function sendTest(
  deps: WebhookDeps,
  {
    templateId,
    symbol: requested,
    ...of
  }: EndpointIds & { templateId: string; symbol?: string | undefined },
  actor: Actor,
): Promise<TestDeliveryOutcome> {
  const { webhooks } = deps;
  const { customerId, endpointId } = of;
  const template = webhooks.templates.find((one) => one.templateId === templateId);
  if (template === undefined) return unknownTemplate(deps);
  const parsed = requested === undefined ? null : parseSymbol(requested);
  if (requested !== undefined && parsed === null) return invalid('symbol', 'a ticker symbol');
  const outcome = await act(deps, async (hand, record): Promise<TestDeliveryOutcome> => {
    const { tx, now } = hand;
    // Tests of several endpoints at once are counted one after the other.
    if ((await lockCustomer(tx, customerId)) === null) return notFound;
    if ((await findEndpoint(tx, of)) === null) return notFound;
    const symbol = parsed ?? (await findTestSymbol(tx, endpointId, templateId));
    if (symbol === null) return NO_SYMBOL_WITH_DATA;
    const dataOf = await webhooks.loadSourceData(tx, [{ templateId, symbol }], now);
    if (dataOf({ templateId, symbol }) === null) return invalid('symbol', `${symbol} has no data`);
    const limit = { customerId, now, begins: TEST_ACTION, perMinute: TESTS_PER_MINUTE };
    const tooMany = await checkActionRate(tx, limit);
    if (tooMany !== null) return tooMany;
    const { eventType } = template;
    const opened = await createTestDelivery(hand, { endpointId, templateId, eventType, symbol });
    if (opened.kind === 'not-found') return notFound;
    const details = { templateId, symbol, opened: opened.id };
    await record({ actor, action: TEST_ACTION, subject: endpointId, customerId, details });
    return { kind: 'opened', id: opened.id, symbol };
  });
  webhooks.wake();
  return outcome;
}

/** The refusal of a template that nobody knows, naming those that there are. */
export function unknownTemplate({ webhooks }: WebhookDeps): Invalid {
  const known = webhooks.templates.map(({ templateId }) => templateId).join(', ');
  return invalid('templateId', `one of ${known}`);
}

const NO_SYMBOL_WITH_DATA: Conflict = {
  kind: 'conflict',
  detail: 'No company that the endpoint is told of has data: name a symbol that has some.',
};

type Entry = Omit<NewAuditEvent, 'at'>;

function act<Outcome>(
  { db, clock, random }: WebhookDeps,
  work: (hand: ManualDeps, record: (entry: Entry) => Promise<void>) => Promise<Outcome>,
): Promise<Outcome> {
  return db.transaction((tx: Transaction) => {
    const now = clock.now();
    return work({ tx, random, now }, (entry) => recordAuditEvent(tx, { ...entry, at: now }));
  });
}
