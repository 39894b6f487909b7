import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import { recordAlerts } from './alerts.ts';
import { afterEnabling } from './endpoint-health.ts';
import { markInProgress } from '../queue/in-flight.ts';
import { lockEndpoints, writeHealth } from './lock-endpoints.ts';

export type DisableReason = 'owner' | 'operator' | 'failing' | 'gone';

/**
 * Disables a locked endpoint. Pending deliveries are held, one per symbol and template, and
 * attempts in flight finish. Returns false if the endpoint was already disabled. An operator takes
 * over an endpoint that was disabled for another reason, so that only an operator can enable it.
 */
export async function disableEndpoint(
  tx: Transaction,
  endpointId: string,
  { reason, now }: { reason: DisableReason; now: Instant },
): Promise<boolean> {
  // Returns one row if the endpoint was enabled or is taken over. Keeps the time at which it was
  // first disabled.
  const rows = await tx.query(
    `update webhook_endpoint
        set disabled_at = coalesce(disabled_at, to_timestamp($2 / 1000.0)), disabled_reason = $3,
            updated_at = to_timestamp($2 / 1000.0)
      where id = $1
        and (disabled_at is null or ($3 = 'operator' and disabled_reason <> 'operator'))
      returning id`,
    [endpointId, now, reason],
  );
  if (rows.length === 0) return false;
  await markInProgress(tx, [endpointId]);
  // Uses index `delivery_due`.
  await tx.query(
    `update delivery set state = 'held'
      where endpoint_id = $1 and state in ('pending', 'retrying') and not is_test`,
    [endpointId],
  );
  return true;
}

/** Alerts the owner that someone else disabled the endpoint. */
export async function alertDisabled(
  tx: Transaction,
  endpoint: { id: string; customerId: string },
  { now, failingSince }: { now: Instant; failingSince: Instant | null },
): Promise<void> {
  await recordAlerts(tx, endpoint, { kinds: ['disabled'], at: now, failingSince });
}

/**
 * Enables an endpoint and makes its held deliveries due with current data. Returns false if the
 * endpoint was already enabled.
 */
export async function enableEndpoint(
  tx: Transaction,
  endpointId: string,
  now: Instant,
): Promise<boolean> {
  const endpoint = (await lockEndpoints(tx, [endpointId])).get(endpointId);
  if (endpoint === undefined || !endpoint.isDisabled) return false;
  await tx.query(
    `update webhook_endpoint
        set disabled_at = null, disabled_reason = null, updated_at = to_timestamp($2 / 1000.0)
      where id = $1`,
    [endpointId, now],
  );
  await writeHealth(tx, [{ id: endpointId, health: afterEnabling(endpoint.health) }]);
  // Uses index `delivery_waiting`.
  await tx.query(
    `update delivery
        set state = case when attempt_count > 0 then 'retrying' else 'pending' end,
            due_at = to_timestamp($2 / 1000.0)
      where endpoint_id = $1 and state = 'held' and not is_test`,
    [endpointId, now],
  );
  return true;
}

/**
 * Cancels an endpoint's pending deliveries, including tests. With `symbols`, cancels only
 * deliveries for these symbols.
 */
export async function cancelPending(
  tx: Transaction,
  endpointId: string,
  { now, symbols }: { now: Instant; symbols?: { templateId: string; symbols: readonly string[] } },
): Promise<void> {
  await markInProgress(tx, [endpointId]);
  const isOf = `and template_id = $3 and symbol = any($4::text[])`;
  // Uses indexes `delivery_due` and `delivery_waiting`.
  await tx.query(
    `update delivery
        set state = 'cancelled', last_error_code = 'cancelled',
            finished_at = to_timestamp($2 / 1000.0)
      where endpoint_id = $1 and state in ('pending', 'retrying', 'held')
            ${symbols === undefined ? '' : isOf}`,
    symbols === undefined
      ? [endpointId, now]
      : [endpointId, now, symbols.templateId, symbols.symbols],
  );
}
