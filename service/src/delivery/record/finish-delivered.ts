import type { ToldAlert } from '../../webhooks/endpoint/alerts.ts';
import { lockChangedBySuccess } from '../../webhooks/endpoint/lock-endpoints.ts';
import type { Transaction } from '../../storage/db.ts';
import type { EngineDeps } from '../engine.ts';
import { type Fates, SUCCESS_NOTED_EVERY_MS, takeIn, writeFates } from './health-updates.ts';
import type { AttemptResult } from './attempt-result.ts';
import { writeDelivered } from './write-delivered.ts';

/**
 * Writes down attempts that were all answered 2xx, as nearly all are. Nothing that waits has a say in
 * them, and nobody asks whether they are held still: `writeDelivered` throws when one is not, and
 * nothing stands.
 *
 * Only those endpoints are locked that a 2xx changes. Who claims or tells holds the others for as long
 * as hundreds of deliveries take, and would skip what is locked here: what is read of an endpoint under
 * its lock is either not changed by a 2xx, or changed in this one transaction with the delivery itself.
 */
export async function recordDelivered(
  tx: Transaction,
  { clock }: EngineDeps,
  batch: readonly AttemptResult[],
): Promise<ToldAlert[]> {
  const noted = Math.max(...batch.map(({ at }) => at)) - SUCCESS_NOTED_EVERY_MS;
  const endpointIds = batch.map(({ delivery: claimed }) => claimed.endpointId);
  const endpoints = await lockChangedBySuccess(tx, endpointIds, noted);
  const fates: Fates = new Map();
  for (const finished of batch) {
    const endpoint = endpoints.get(finished.delivery.endpointId);
    if (endpoint !== undefined) takeIn(fates, endpoint, finished, { kind: 'delivered' });
  }
  await writeDelivered(tx, batch.toSorted(bySubscription));
  return writeFates(tx, fates, clock.now());
}

/** In the order in which all lock subscriptions of an endpoint. */
function bySubscription({ delivery: a }: AttemptResult, { delivery: b }: AttemptResult): number {
  return (
    compare(a.endpointId, b.endpointId) ||
    compare(a.template.templateId, b.template.templateId) ||
    compare(a.symbol, b.symbol)
  );
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
