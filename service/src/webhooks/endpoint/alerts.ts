import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import type { AlertKind } from './endpoint-health.ts';

/** A notification for the owner of an endpoint. */
export interface Alert {
  id: number;
  endpointId: string;
  kind: AlertKind;
  at: Instant;
  /** Start of the failure episode. */
  failingSince: Instant | null;
  detail: string;
}

export type RecordedAlert = Omit<Alert, 'id'> & { customerId: string };

const DETAILS: Readonly<Record<AlertKind, string>> = {
  failing: 'Four attempts in a row were not answered with a 2xx status.',
  failing_24h: 'No attempt was answered with a 2xx status for a day.',
  failing_72h: 'No attempt was answered with a 2xx status for three days.',
  disabled: 'The endpoint was disabled; deliveries are held until it is enabled again.',
  recovered: 'An attempt was answered with a 2xx status again.',
};

/** Records alerts. Returns the recorded alerts, so that they can be logged for the operator. */
export async function recordAlerts(
  tx: Transaction,
  endpoint: { id: string; customerId: string },
  { kinds, ...when }: { kinds: readonly AlertKind[]; at: Instant; failingSince: Instant | null },
): Promise<RecordedAlert[]> {
  const { id: endpointId, customerId } = endpoint;
  const alerts = kinds.map((kind) => ({
    ...when,
    endpointId,
    customerId,
    kind,
    detail: DETAILS[kind],
  }));
  for (const { kind, at, failingSince, detail } of alerts) {
    await tx.query(
      `insert into webhook_alert (endpoint_id, customer_id, kind, at, failing_since, detail)
       values ($1, $2, $3, to_timestamp($4 / 1000.0), to_timestamp($5 / 1000.0), $6)`,
      [endpointId, customerId, kind, at, failingSince, detail],
    );
  }
  return alerts;
}

/**
 * Returns a customer's alerts, newest first. `before` is the ID of the last alert on the previous
 * page.
 */
export async function listAlerts(
  db: Queryable,
  filter: { customerId: string; before?: number; limit: number },
): Promise<Alert[]> {
  const { customerId, before = Number.MAX_SAFE_INTEGER, limit } = filter;
  // Returns at most `limit` rows. Uses index `webhook_alert_by_customer`.
  return db.query<Alert & Row>(
    `select id, endpoint_id as "endpointId", kind, at, failing_since as "failingSince", detail
       from webhook_alert where customer_id = $1 and id < $2 order by id desc limit $3`,
    [customerId, before, Math.min(limit, 100)],
  );
}
