import { recordAlerts, type ToldAlert } from '../../webhooks/endpoint/alerts.ts';
import {
  dueAlerts,
  type EndpointHealth,
  withAlerts,
} from '../../webhooks/endpoint/endpoint-health.ts';
import { lockEndpoints, writeHealth } from '../../webhooks/endpoint/lock-endpoints.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import type { EngineDeps } from '../engine.ts';

/**
 * Tells owners that an endpoint has failed for a day or three while nothing was sent to it. Returns
 * what they were told.
 */
export async function alertSilentFailures({ db, clock }: EngineDeps): Promise<ToldAlert[]> {
  const dayAgo = clock.now() - 86_400_000;
  // Endpoints that fail for a day or more and are not told of three yet; a scan of all endpoints.
  const rows = await db.query<{ id: string }>(
    `select id from webhook_endpoint
      where failing_since <= to_timestamp($1 / 1000.0) and not ('failing_72h' = any(alerted))
        and disabled_at is null and deleted_at is null order by id limit 1000`,
    [dayAgo],
  );
  if (rows.length === 0) return [];
  return db.transaction(async (tx) => {
    const endpoints = await lockEndpoints(
      tx,
      rows.map(({ id }) => id),
    );
    const told: ToldAlert[] = [];
    const failing: { id: string; health: EndpointHealth }[] = [];
    for (const endpoint of endpoints.values()) {
      const kinds = dueAlerts(endpoint.health, clock.now());
      const { failingSince } = endpoint.health;
      if (kinds.length === 0 || (await wasAnsweredSince(tx, endpoint.id, failingSince))) continue;
      const alerts = { kinds, at: clock.now(), failingSince };
      told.push(...(await recordAlerts(tx, endpoint, alerts)));
      failing.push({ id: endpoint.id, health: withAlerts(endpoint.health, kinds) });
    }
    await writeHealth(tx, failing);
    return told;
  });
}

/**
 * Whether a 2xx came after the failures began: where two processes wrote both down at the same moment,
 * the failure may stand as the later.
 */
async function wasAnsweredSince(
  tx: Transaction,
  endpointId: string,
  failingSince: Instant | null,
): Promise<boolean> {
  // At most one row, among those of index webhook_subscription_by_endpoint.
  const rows = await tx.query(
    `select 1 from webhook_subscription
      where endpoint_id = $1 and answered_at > to_timestamp($2 / 1000.0) limit 1`,
    [endpointId, failingSince],
  );
  return rows.length > 0;
}
