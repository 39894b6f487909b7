import type { Instant } from '../../platform/instant.ts';
import type { Row, Transaction } from '../../storage/db.ts';
import { Recordset, sql, statement } from '../../storage/sql.ts';
import { writeArrayLiteral } from '../../storage/values/array-literal.ts';
import type { PayloadFormat } from '../message/payload.ts';
import type { AlertKind, EndpointHealth } from './endpoint-health.ts';

/** An endpoint that is locked until the transaction ends. */
export interface LockedEndpoint {
  id: string;
  customerId: string;
  url: string;
  isDev: boolean;
  isDisabled: boolean;
  isDeleted: boolean;
  payloadFormat: PayloadFormat;
  standardWebhooks: boolean;
  health: EndpointHealth;
}

/**
 * Locks endpoints in ID order to avoid deadlocks. All code that creates, claims, records or cancels
 * deliveries locks the endpoints first, except when recording 2xx responses (see
 * `lockChangedBySuccess`). `skipLocked` leaves out endpoints that are already locked.
 */
export async function lockEndpoints(
  tx: Transaction,
  ids: readonly string[],
  { skipLocked = false }: { skipLocked?: boolean } = {},
): Promise<Map<string, LockedEndpoint>> {
  if (ids.length === 0) return new Map();
  // Returns one row per endpoint.
  const rows = await tx.query<EndpointRow>(
    `select ${COLUMNS} from webhook_endpoint e where e.id = any($1::text[])
      order by e.id for no key update ${skipLocked ? 'skip locked' : ''}`,
    [[...new Set(ids)]],
  );
  return new Map(rows.map((row) => [row.id, readEndpoint(row)]));
}

/**
 * Locks only the endpoints whose health a 2xx response would change, which are those on probation
 * and those without a success after `before`. For all other endpoints, the last attempt succeeded,
 * so another success changes nothing. If a failure is recorded at the same time, it is treated as
 * later than the success.
 */
export async function lockChangedBySuccess(
  tx: Transaction,
  ids: readonly string[],
  before: Instant,
): Promise<Map<string, LockedEndpoint>> {
  // Usually returns no rows.
  const rows = await tx.query<EndpointRow>(
    `select ${COLUMNS} from webhook_endpoint e
      where e.id = any($1::text[])
        and (e.is_slow or e.last_success_at is null
             or e.last_success_at <= to_timestamp($2 / 1000.0))
      order by e.id for no key update`,
    [[...new Set(ids)], before],
  );
  return new Map(rows.map((row) => [row.id, readEndpoint(row)]));
}

/** Saves the health of locked endpoints. Each endpoint may occur only once. */
export async function writeHealth(
  tx: Transaction,
  endpoints: readonly { id: string; health: EndpointHealth }[],
): Promise<void> {
  if (endpoints.length === 0) return;
  const rows = new Recordset(
    {
      id: 'text',
      is_slow: 'bool',
      success: 'float8',
      failure: 'float8',
      failures: 'int4',
      since: 'float8',
      delivery: 'text',
      several: 'bool',
      alerted: 'text',
    },
    endpoints.map(({ id, health }) => ({
      id,
      is_slow: health.isOnProbation,
      success: health.lastSuccessAt,
      failure: health.lastFailureAt,
      failures: health.failureCount,
      since: health.failingSince,
      delivery: health.failingDelivery,
      several: health.failingSeveral,
      alerted: writeArrayLiteral(health.alerted),
    })),
  );
  await tx.query(
    ...statement(sql`
      update webhook_endpoint e
         set is_slow = h.is_slow, last_success_at = to_timestamp(h.success / 1000.0),
             last_failure_at = to_timestamp(h.failure / 1000.0), failure_count = h.failures,
             failing_since = to_timestamp(h.since / 1000.0), failing_delivery = h.delivery,
             failing_several = h.several, alerted = h.alerted::text[]
        from ${rows.as('h')}
       where e.id = h.id`),
  );
}

const COLUMNS = `e.id, e.customer_id, e.url, e.is_dev, e.disabled_at is not null as is_disabled,
            e.deleted_at is not null as is_deleted, e.is_slow, e.last_success_at,
            e.last_failure_at, e.failure_count, e.failing_since, e.failing_delivery,
            e.failing_several, e.alerted, e.payload_format, e.standard_webhooks`;

interface EndpointRow extends Row {
  id: string;
  customer_id: string;
  url: string;
  is_dev: boolean;
  is_disabled: boolean;
  is_deleted: boolean;
  is_slow: boolean;
  last_success_at: Instant | null;
  last_failure_at: Instant | null;
  failure_count: number;
  failing_since: Instant | null;
  failing_delivery: string | null;
  failing_several: boolean;
  alerted: AlertKind[];
  payload_format: PayloadFormat;
  standard_webhooks: boolean;
}

function readEndpoint(row: EndpointRow): LockedEndpoint {
  return {
    id: row.id,
    customerId: row.customer_id,
    url: row.url,
    isDev: row.is_dev,
    isDisabled: row.is_disabled,
    isDeleted: row.is_deleted,
    payloadFormat: row.payload_format,
    standardWebhooks: row.standard_webhooks,
    health: {
      isOnProbation: row.is_slow,
      lastSuccessAt: row.last_success_at,
      lastFailureAt: row.last_failure_at,
      failureCount: row.failure_count,
      failingSince: row.failing_since,
      failingDelivery: row.failing_delivery,
      failingSeveral: row.failing_several,
      alerted: row.alerted,
    },
  };
}

/**
 * Returns the state of an unfinished delivery after an attempt. This is normally `state`, but
 * `held` if the endpoint is disabled, and `cancelled` if it was deleted, because deliveries to
 * deleted endpoints are never claimed.
 */
export function pendingState<State extends string>(
  endpoint: Pick<LockedEndpoint, 'isDisabled' | 'isDeleted'> | undefined,
  state: State,
): State | 'held' | 'cancelled' {
  if (endpoint?.isDeleted === true) return 'cancelled';
  return endpoint?.isDisabled === true ? 'held' : state;
}
