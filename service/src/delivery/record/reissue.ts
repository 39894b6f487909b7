import type { Instant } from '../../platform/instant.ts';
import type { Row, Transaction } from '../../storage/db.ts';
import { type LockedEndpoint, lockEndpoints } from '../../webhooks/endpoint/lock-endpoints.ts';
import { makeDeliveryId } from '../../webhooks/queue/delivery-id.ts';
import {
  insertDeliveries,
  type NewDelivery,
  supersede,
} from '../../webhooks/queue/open-deliveries.ts';
import { nameAllFields } from '../../webhooks/subscription/name-all-fields.ts';
import { writeCancelled } from '../claim/write-claim.ts';
import type { EngineDeps } from '../engine.ts';
import { expireLeases } from './expire-leases.ts';

const PAGE_SIZE = 1_000;

/**
 * Ends all attempts in flight. A history that was lost may have finished them, and the processes
 * that made them in this one can no longer record a result.
 */
export async function endAttemptsInFlight(deps: EngineDeps): Promise<void> {
  await deps.db.query('update delivery_claim set lease_until = to_timestamp(0)');
  while ((await expireLeases(deps)) > 0);
}

/**
 * Replaces every pending delivery by a new one that names all fields, because the lost history may
 * have sent its id with other data. The next delivery of every other subscription names all fields
 * too, because its receiver may have newer data than the store. Returns the number of replaced
 * deliveries. Tests and deliveries to deleted endpoints are cancelled.
 */
export async function reissueDeliveries(
  { clock, random, templates }: EngineDeps,
  tx: Transaction,
): Promise<number> {
  const now = clock.now();
  const endpoints = await lockAllEndpoints(tx);
  let count = 0;
  // Returns one row.
  const [newest] = await tx.query<{ id: string | null }>('select max(id) as id from delivery');
  const upToId = newest?.id ?? '';
  for (let afterId = ''; ;) {
    const page = await loadPending(tx, { afterId, upToId });
    const replaced = page.flatMap((row): (NewDelivery & { oldId: string })[] => {
      const endpoint = endpoints.get(row.endpointId);
      if (endpoint === undefined || endpoint.isDeleted || row.isTest) return [];
      const { templateId, eventType, symbol, changedAt } = row;
      const id = makeDeliveryId(now, random);
      const subject = { endpoint, templateId, eventType, symbol, changedAt };
      return [{ ...subject, id, oldId: row.id, now, includeAllFields: true }];
    });
    const successors = replaced.map(({ id, oldId }) => ({ id: oldId, by: id }));
    await supersede(tx, successors, now);
    await insertDeliveries(tx, replaced);
    const replacedIds = new Set(successors.map(({ id }) => id));
    const others = page.filter(({ id }) => !replacedIds.has(id));
    await writeCancelled(
      tx,
      others.map(({ id }) => ({ id, code: 'cancelled' })),
      now,
    );
    count += replaced.length;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_SIZE) break;
    afterId = last.id;
  }
  await nameAllFields(tx, templates);
  return count;
}

async function lockAllEndpoints(tx: Transaction): Promise<Map<string, LockedEndpoint>> {
  // Returns every endpoint.
  const rows = await tx.query<{ id: string }>('select id from webhook_endpoint');
  return lockEndpoints(
    tx,
    rows.map(({ id }) => id),
  );
}

interface PendingRow extends Row {
  id: string;
  endpointId: string;
  templateId: string;
  eventType: string;
  symbol: string;
  isTest: boolean;
  changedAt: Instant;
}

function loadPending(
  tx: Transaction,
  { afterId, upToId }: { afterId: string; upToId: string },
): Promise<PendingRow[]> {
  // Returns a page of deliveries, in the order of the primary key.
  return tx.query<PendingRow>(
    `select id, endpoint_id as "endpointId", template_id as "templateId",
            event_type as "eventType", symbol, is_test as "isTest", changed_at as "changedAt"
       from delivery
      where id > $1 and id <= $2 and state in ('pending', 'retrying', 'held')
      order by id limit ${PAGE_SIZE}`,
    [afterId, upToId],
  );
}
