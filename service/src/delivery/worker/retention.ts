import { deliveryIdFloor } from '../../webhooks/queue/delivery-id.ts';
import type { EngineDeps } from '../engine.ts';

const DAY_MS = 86_400_000;
const BATCH = 1_000;

export interface RetentionDays {
  /** How long attempts with their bodies are kept: 7 to 90. */
  attempts: number;
  /** How long finished deliveries and alerts are kept: no shorter than attempts. */
  deliveries: number;
}

export const RETENTION_DAYS: RetentionDays = { attempts: 30, deliveries: 90 };

/**
 * Removes the next lot of what is kept no longer; deliveries that are open never. Returns how many
 * rows are gone: call again until there are none.
 */
export async function deleteExpired(
  { db, clock }: EngineDeps,
  keep: RetentionDays = RETENTION_DAYS,
): Promise<number> {
  const attemptsBefore = clock.now() - keep.attempts * DAY_MS;
  const deliveriesBefore = clock.now() - keep.deliveries * DAY_MS;
  // The oldest attempts of deliveries opened before, by the primary key.
  const attempts = await db.query(
    `delete from delivery_attempt a using (
       select delivery_id, n from delivery_attempt
        where delivery_id < $1 and started_at < to_timestamp($2 / 1000.0)
        order by delivery_id, n limit ${BATCH}) old
      where a.delivery_id = old.delivery_id and a.n = old.n returning a.n`,
    [deliveryIdFloor(attemptsBefore), attemptsBefore],
  );
  // The oldest deliveries, by the primary key; ids rise with the time of opening.
  const deliveries = await db.query(
    `delete from delivery d using (
       select id from delivery where id < $1 and finished_at < to_timestamp($2 / 1000.0)
        order by id limit ${BATCH}) old
      where d.id = old.id returning d.id`,
    [deliveryIdFloor(deliveriesBefore), deliveriesBefore],
  );
  // A scan of alerts, which are few.
  const alerts = await db.query(
    `delete from webhook_alert where at < to_timestamp($1 / 1000.0) returning id`,
    [deliveriesBefore],
  );
  return attempts.length + deliveries.length + alerts.length;
}
