import { createdAs, type Creation, type Creator } from '../../accounts/creator.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import { sql, statement } from '../../storage/sql.ts';
import { removeAllSubscriptions } from '../subscription/subscription-store.ts';
import type { PayloadFormat } from '../message/payload.ts';
import type { DisableReason } from './endpoint-states.ts';

/** The settings of an endpoint. */
export interface EndpointSettings {
  url: string;
  description: string;
  payloadFormat: PayloadFormat;
  /** True if requests also carry the headers of Standard Webhooks. */
  standardWebhooks: boolean;
  /** True if the endpoint is reachable only because of a development setting. */
  isDev: boolean;
}

/** An endpoint as shown to its owner. */
export interface WebhookEndpoint extends EndpointSettings {
  id: string;
  customerId: string;
  createdAt: Instant;
  /** Null for endpoints older than the record of creators. */
  createdBy: Creator | null;
  updatedAt: Instant;
  disabledAt: Instant | null;
  disabledReason: DisableReason | null;
  lastSuccessAt: Instant | null;
  lastFailureAt: Instant | null;
  /** Number of failed attempts since the last 2xx response. */
  failureCount: number;
  failingSince: Instant | null;
  /** Number of subscriptions: pairs of a template and a symbol or a company set. */
  subscriptionCount: number;
}

const ENDPOINT = `
  select e.id, e.customer_id as "customerId", e.url, e.description, e.is_dev as "isDev",
         e.payload_format as "payloadFormat", e.standard_webhooks as "standardWebhooks",
         e.created_at as "createdAt", e.created_by as "createdBy", e.updated_at as "updatedAt",
         e.disabled_at as "disabledAt", e.disabled_reason as "disabledReason",
         e.last_success_at as "lastSuccessAt", e.last_failure_at as "lastFailureAt",
         e.failure_count as "failureCount", e.failing_since as "failingSince",
         (select count(*) from webhook_subscription s
           where s.endpoint_id = e.id and s.kind <> 'member') as "subscriptionCount"
    from webhook_endpoint e
   where e.deleted_at is null`;

/** Returns an endpoint, or null if it was deleted or belongs to another customer. */
export async function findEndpoint(
  db: Queryable,
  { customerId, endpointId }: { customerId: string; endpointId: string },
): Promise<WebhookEndpoint | null> {
  // Returns at most one row. Counts subscriptions with index `webhook_subscription_by_endpoint`.
  const rows = await db.query<WebhookEndpoint & Row>(
    `${ENDPOINT} and e.id = $1 and e.customer_id = $2`,
    [endpointId, customerId],
  );
  return rows[0] ?? null;
}

/**
 * Returns true if the customer has or had this endpoint. Includes deleted endpoints, because their
 * log is kept. If the customer is null, any customer's endpoint matches.
 */
export async function endpointExisted(
  db: Queryable,
  { customerId, endpointId }: { customerId: string | null; endpointId: string },
): Promise<boolean> {
  const rows = await db.query(
    `select 1 from webhook_endpoint where id = $1 and customer_id = coalesce($2, customer_id)`,
    [endpointId, customerId],
  );
  return rows.length > 0;
}

/** Returns the endpoints of a customer, or of all customers if null, oldest first. */
export async function listEndpoints(
  db: Queryable,
  customerId: string | null,
): Promise<WebhookEndpoint[]> {
  // Returns at most 20 rows per customer, using index `webhook_endpoint_by_customer`. Scans the
  // table for all customers.
  return db.query<WebhookEndpoint & Row>(
    `${ENDPOINT} ${customerId === null ? '' : 'and e.customer_id = $1'}
      order by e.created_at, e.id`,
    customerId === null ? [] : [customerId],
  );
}

/** Lists the endpoints for which a person is responsible, like `listKeysOfPerson`, oldest first. */
export async function listEndpointsOfPerson(
  db: Queryable,
  { personId, customerId }: { personId: string; customerId: string | null },
): Promise<WebhookEndpoint[]> {
  // Uses index `webhook_endpoint_by_creator`.
  return db.query<WebhookEndpoint & Row>(
    `${ENDPOINT} and ${createdAs('e')} order by e.created_at, e.id`,
    [personId, customerId],
  );
}

/** Results of an endpoint's latest deliveries. */
export interface RecentDeliveries {
  /** Number of successes among the last 100 deliveries that succeeded or finally failed. */
  delivered: number;
  failed: number;
  /** Creation time of the latest delivery. */
  lastDeliveryAt: Instant | null;
}

/** Returns statistics by endpoint id. Every given endpoint has an item. */
export async function loadRecentDeliveries(
  db: Queryable,
  endpointIds: readonly string[],
): Promise<Map<string, RecentDeliveries>> {
  // Returns one row per endpoint. Reads at most 300 rows per endpoint, backwards in index
  // delivery_by_endpoint, even on an engine without table statistics.
  const rows = await db.query<RecentDeliveries & Row & { id: string }>(
    `select e.id, count(*) filter (where d.state = 'delivered') as delivered,
            count(*) filter (where d.state = 'failed') as failed,
            (select n.created_at from delivery n
              where n.endpoint_id = e.id order by n.id desc limit 1) as "lastDeliveryAt"
       from unnest($1::text[]) as e(id)
       left join lateral (
         select state from (
           select d.state, d.is_test from delivery d
            where d.endpoint_id = e.id order by d.id desc limit 300) n
          where state in ('delivered', 'failed') and not is_test limit 100) d on true
      group by e.id`,
    [endpointIds],
  );
  return new Map(
    rows.map(({ id, delivered, failed, lastDeliveryAt }) => [
      id,
      { delivered, failed, lastDeliveryAt },
    ]),
  );
}

export async function countEndpoints(db: Queryable, customerId: string): Promise<number> {
  // Returns one row. Uses index `webhook_endpoint_by_customer`.
  const [row] = await db.query<{ n: number }>(
    `select count(*) as n from webhook_endpoint where customer_id = $1 and deleted_at is null`,
    [customerId],
  );
  return row?.n ?? 0;
}

export async function insertEndpoint(
  tx: Transaction,
  endpoint: EndpointSettings & Creation & { id: string; customerId: string; now: Instant },
): Promise<void> {
  const { id, customerId, url, now, createdBy, createdByPerson } = endpoint;
  await tx.query(
    `insert into webhook_endpoint (id, customer_id, url, created_at, updated_at, created_by,
                                   created_by_person)
     values ($1, $2, $3, to_timestamp($4 / 1000.0), to_timestamp($4 / 1000.0), $5::jsonb, $6)`,
    [id, customerId, url, now, JSON.stringify(createdBy), createdByPerson],
  );
  await saveEndpoint(tx, id, endpoint);
}

/** Saves the settings of a locked endpoint. */
export async function saveEndpoint(
  tx: Transaction,
  endpointId: string,
  settings: EndpointSettings & { now: Instant },
): Promise<void> {
  const { url, description, isDev, payloadFormat, standardWebhooks, now } = settings;
  await tx.query(
    ...statement(sql`
    update webhook_endpoint
       set url = ${url}, description = ${description}, is_dev = ${isDev},
           payload_format = ${payloadFormat}, standard_webhooks = ${standardWebhooks},
           updated_at = to_timestamp(${now} / 1000.0)
     where id = ${endpointId}`),
  );
}

/** Marks a locked endpoint as deleted and removes its secrets and subscriptions. */
export async function markEndpointDeleted(
  tx: Transaction,
  endpointId: string,
  now: Instant,
): Promise<void> {
  // Keeps the row, because the delivery log refers to it.
  await tx.query(
    `update webhook_endpoint
        set deleted_at = to_timestamp($2 / 1000.0), updated_at = to_timestamp($2 / 1000.0)
      where id = $1`,
    [endpointId, now],
  );
  // Deletes at most three rows, by the primary key.
  await tx.query(`delete from webhook_secret where endpoint_id = $1`, [endpointId]);
  await removeAllSubscriptions(tx, endpointId);
}
