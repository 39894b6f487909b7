import { recordAlerts, type RecordedAlert } from '../../webhooks/endpoint/alerts.ts';
import {
  dueAlerts,
  type EndpointHealth,
  withAlerts,
} from '../../webhooks/endpoint/endpoint-health.ts';
import { lockEndpoints, writeHealth } from '../../webhooks/endpoint/lock-endpoints.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import type { EngineDeps } from '../engine.ts';

const DAY_MS = 86_400_000;

/**
 * Records alerts for endpoints that have been failing for one or three days but had no attempt that
 * would have triggered the alert. Returns the recorded alerts.
 */
export async function alertSilentFailures({ db, clock }: EngineDeps): Promise<RecordedAlert[]> {
  // Returns endpoints that may need an alert. Scans all endpoints.
  const failing = await db.query<{ id: string }>(
    `select id from webhook_endpoint
      where failing_since <= to_timestamp($1 / 1000.0) and not ('failing_72h' = any(alerted))
        and disabled_at is null and deleted_at is null order by id limit 1000`,
    [clock.now() - DAY_MS],
  );
  if (failing.length === 0) return [];
  return db.transaction(async (tx) => {
    const ids = failing.map(({ id }) => id);
    const endpoints = await lockEndpoints(tx, ids);
    const recorded: RecordedAlert[] = [];
    const alerted: { id: string; health: EndpointHealth }[] = [];
    for (const endpoint of endpoints.values()) {
      const { id, health } = endpoint;
      const kinds = dueAlerts(health, clock.now());
      if (kinds.length === 0 || (await hasSucceededSince(tx, id, health.failingSince))) continue;
      const alerts = { kinds, at: clock.now(), failingSince: health.failingSince };
      recorded.push(...(await recordAlerts(tx, endpoint, alerts)));
      alerted.push({ id, health: withAlerts(health, kinds) });
    }
    await writeHealth(tx, alerted);
    return recorded;
  });
}

/**
 * Returns true if there was a 2xx response after the failures began. Needed because two processes
 * may record a success and a failure at the same moment, and the failure may be stored last.
 */
async function hasSucceededSince(
  tx: Transaction,
  endpointId: string,
  failingSince: Instant | null,
): Promise<boolean> {
  // Returns at most one row, from index webhook_subscription_by_endpoint.
  const rows = await tx.query(
    `select 1 from webhook_subscription
      where endpoint_id = $1 and answered_at > to_timestamp($2 / 1000.0) limit 1`,
    [endpointId, failingSince],
  );
  return rows.length > 0;
}
