import { deleteOldCalls } from '../../accounts/idempotent-calls.ts';
import { purgeAccounts } from '../../accounts/purge.ts';
import { deliveryIdFloor } from '../../webhooks/queue/delivery-id.ts';
import type { EngineDeps } from '../engine.ts';

const DAY_MS = 86_400_000;
const BATCH_SIZE = 1_000;

export interface RetentionDays {
  /** Number of days for which attempts and their bodies are kept, 7 to 90. */
  attempts: number;
  /**
   * Number of days for which finished deliveries and alerts are kept. At least as long as attempts.
   */
  deliveries: number;
  /** Number of days for which audit events are kept. Default: forever. */
  auditEvents?: number | null;
}

export const RETENTION_DAYS: RetentionDays = { attempts: 30, deliveries: 90 };

/**
 * Deletes the next batch of expired attempts, finished deliveries and alerts, of the responses
 * kept for idempotency keys, and of deleted keys and old audit events. Returns the number of deleted
 * rows. Must be called again until it returns 0.
 */
export async function deleteExpired(
  { db, clock }: EngineDeps,
  retention: RetentionDays = RETENTION_DAYS,
): Promise<number> {
  const attemptsBefore = clock.now() - retention.attempts * DAY_MS;
  const deliveriesBefore = clock.now() - retention.deliveries * DAY_MS;
  // Deletes the oldest attempts in primary key order. Ids increase with the creation time.
  const attempts = await db.query(
    `delete from delivery_attempt a using (
       select delivery_id, n from delivery_attempt
        where delivery_id < $1 and started_at < to_timestamp($2 / 1000.0)
        order by delivery_id, n limit ${BATCH_SIZE}) old
      where a.delivery_id = old.delivery_id and a.n = old.n returning a.n`,
    [deliveryIdFloor(attemptsBefore), attemptsBefore],
  );
  // Deletes the oldest deliveries in primary key order.
  const deliveries = await db.query(
    `delete from delivery d using (
       select id from delivery where id < $1 and finished_at < to_timestamp($2 / 1000.0)
        order by id limit ${BATCH_SIZE}) old
      where d.id = old.id returning d.id`,
    [deliveryIdFloor(deliveriesBefore), deliveriesBefore],
  );
  // Scans all alerts, of which there are few.
  const alerts = await db.query(
    `delete from webhook_alert where at < to_timestamp($1 / 1000.0) returning id`,
    [deliveriesBefore],
  );
  const calls = await deleteOldCalls(db, { now: clock.now(), limit: BATCH_SIZE });
  const purged = await purgeAccounts({ db, clock }, { auditDays: retention.auditEvents ?? null });
  return attempts.length + deliveries.length + alerts.length + calls + purged;
}
