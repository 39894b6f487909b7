import type { Queryable, Row } from '../../storage/db.ts';
import { NOT_IN_FLIGHT } from '../../webhooks/queue/in-flight.ts';

/**
 * Returns true if changes have not been read or companies are queued for their subscribers. Costs an
 * idle worker one statement instead of two transactions.
 */
export async function hasFanOutWork(db: Queryable): Promise<boolean> {
  // Returns one row. Reads the end of the primary key of change_record, and one queued row.
  const [row] = await db.query<{ hasWork: boolean }>(
    `select coalesce((select max(id) from change_record), 0)
              > coalesce((select position from webhook_cursor where name = 'changes'), 0)
            or exists (select 1 from webhook_fan_out) as "hasWork"`,
  );
  return row?.hasWork ?? true;
}

/** Deliveries that may need something from a worker. */
export interface SendWork {
  /** True if a delivery is or may become due. */
  hasPending: boolean;
  /** True if a lease may expire. */
  hasInProgress: boolean;
}

export async function loadSendWork(db: Queryable): Promise<SendWork> {
  // Returns one row. Uses index delivery_due, which has an entry for each pending delivery.
  const [row] = await db.query<SendWork & Row>(
    `select exists (select 1 from delivery_claim) as "hasInProgress",
            exists (select 1 from delivery
                     where state in ('pending', 'retrying') and id ${NOT_IN_FLIGHT}) as "hasPending"`,
  );
  return row ?? { hasPending: true, hasInProgress: true };
}
