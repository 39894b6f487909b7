import type { Instant } from '../../platform/instant.ts';
import type { Random } from '../../platform/random.ts';
import type { Row, Transaction } from '../../storage/db.ts';
import { deliveryIdFloor, makeDeliveryId } from './delivery-id.ts';
import { type LockedEndpoint, lockEndpoints } from '../endpoint/lock-endpoints.ts';
import { NOT_IN_FLIGHT } from './in-flight.ts';
import { insertDeliveries, createDeliveries } from './open-deliveries.ts';

export interface ManualDeps {
  tx: Transaction;
  random: Random;
  now: Instant;
}

export type RedeliveryOutcome =
  /** The new or pending delivery. It is held while the endpoint is disabled. */
  | { kind: 'opened'; id: string; isHeld: boolean }
  | { kind: 'not-found' }
  /** The delivery has not finished and will be retried automatically. */
  | { kind: 'not-finished' }
  | { kind: 'not-subscribed' };

/**
 * Sends current data for a finished delivery again, with all fields listed as changed. Reuses a
 * pending delivery for the same subject if it was never attempted, and otherwise creates a new
 * delivery.
 */
export async function redeliver(
  { tx, random, now }: ManualDeps,
  { customerId, deliveryId }: { customerId: string; deliveryId: string },
): Promise<RedeliveryOutcome> {
  const [delivery] = await tx.query<SubjectRow & { state: string }>(
    `select endpoint_id, template_id, event_type, symbol, state from delivery
      where id = $1 and customer_id = $2`,
    [deliveryId, customerId],
  );
  if (delivery === undefined) return { kind: 'not-found' };
  if (!FINISHED_STATES.includes(delivery.state)) return { kind: 'not-finished' };
  const endpoint = (await lockEndpoints(tx, [delivery.endpoint_id])).get(delivery.endpoint_id);
  if (endpoint === undefined || endpoint.isDeleted) return { kind: 'not-found' };
  const subscribed = await tx.query(
    `select 1 as one from webhook_subscription
      where template_id = $1 and symbol = $2 and endpoint_id = $3`,
    [delivery.template_id, delivery.symbol, endpoint.id],
  );
  if (subscribed.length === 0) return { kind: 'not-subscribed' };
  const subject = { ...subjectOf(delivery, endpoint), changedAt: now };
  const options = { now, includeAllFields: true, replayOf: deliveryId };
  const [id = ''] = await createDeliveries({ tx, random }, [subject], options);
  return { kind: 'opened', id, isHeld: endpoint.isDisabled };
}

/** Maximum age of deliveries that can be recovered. */
export const RECOVER_DAYS_MAX = 30;
/** Recovered deliveries become due at a rate of 50 per second. */
const RECOVER_INTERVAL_MS = 20;

/**
 * Creates one delivery for each subscribed symbol whose latest delivery since the given time did
 * not succeed, with current data and all fields listed as changed. Returns the number of
 * deliveries, or null if the customer has no such endpoint.
 */
export async function recoverDeliveries(
  { tx, random, now }: ManualDeps,
  { customerId, endpointId, since }: { customerId: string; endpointId: string; since: Instant },
): Promise<number | null> {
  const endpoint = (await lockEndpoints(tx, [endpointId])).get(endpointId);
  if (endpoint === undefined || endpoint.isDeleted || endpoint.customerId !== customerId) {
    return null;
  }
  const from = Math.max(since, now - RECOVER_DAYS_MAX * 86_400_000);
  // Returns one row per subscribed symbol. Reads the endpoint's deliveries from the lowest ID in
  // the time range.
  const rows = await tx.query<SubjectRow>(
    `select n.endpoint_id, n.template_id, n.event_type, n.symbol from (
       select distinct on (d.template_id, d.symbol)
              d.id, d.endpoint_id, d.template_id, d.event_type, d.symbol, d.state
         from delivery d
        where d.endpoint_id = $1 and d.id >= $2 and not d.is_test and d.state <> 'cancelled'
        order by d.template_id, d.symbol, d.id desc) n
       join webhook_subscription s on s.template_id = n.template_id and s.symbol = n.symbol
                                  and s.endpoint_id = n.endpoint_id
      where n.state in ('failed', 'superseded', 'retrying', 'held') and n.id ${NOT_IN_FLIGHT}
      order by n.template_id, n.symbol`,
    [endpointId, deliveryIdFloor(from)],
  );
  const subjects = rows.map((row, index) => ({
    ...subjectOf(row, endpoint),
    changedAt: now,
    dueAt: now + index * RECOVER_INTERVAL_MS,
  }));
  await createDeliveries({ tx, random }, subjects, { now, includeAllFields: true });
  return subjects.length;
}

/**
 * Creates a test delivery, which is attempted once even if the endpoint is disabled. The caller
 * must check that the symbol has data and that the rate limit allows the test.
 */
export async function createTestDelivery(
  { tx, random, now }: ManualDeps,
  test: { endpointId: string; templateId: string; eventType: string; symbol: string },
): Promise<{ kind: 'opened'; id: string } | { kind: 'not-found' }> {
  const { endpointId, ...subject } = test;
  const endpoint = (await lockEndpoints(tx, [endpointId])).get(endpointId);
  if (endpoint === undefined || endpoint.isDeleted) return { kind: 'not-found' };
  const id = makeDeliveryId(now, random);
  const delivery = {
    ...subject,
    id,
    endpoint,
    changedAt: now,
    now,
    includeAllFields: true,
    isTest: true,
  };
  await insertDeliveries(tx, [delivery]);
  return { kind: 'opened', id };
}

const FINISHED_STATES = ['delivered', 'failed', 'superseded', 'cancelled'];

interface SubjectRow extends Row {
  endpoint_id: string;
  template_id: string;
  event_type: string;
  symbol: string;
}

function subjectOf(row: SubjectRow, endpoint: LockedEndpoint) {
  const { template_id: templateId, event_type: eventType, symbol } = row;
  return { endpoint, templateId, eventType, symbol };
}
