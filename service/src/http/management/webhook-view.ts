import {
  loadRecentDeliveries,
  type RecentDeliveries,
  type WebhookEndpoint,
} from '../../webhooks/endpoint/webhook-endpoint.ts';
import { loadSecretChanges } from '../../webhooks/secret/secret-store.ts';
import {
  type BodyOf,
  choice,
  flag,
  instant,
  integer,
  named,
  nullable,
  text,
} from '../../endpoints/schema/fields.ts';
import { formatInstant } from '../../platform/instant.ts';
import { PAYLOAD_FORMATS } from '../../webhooks/message/payload.ts';
import type { Queryable } from '../../storage/db.ts';
import { formatOptional } from './instants.ts';
import { creatorSchema, creatorView } from './person-access-view.ts';

const REASONS = ['owner', 'operator', 'failing', 'gone'] as const;

export const endpointSchema = named('WebhookEndpoint', {
  id: text('Endpoint ID, `whe_…`.'),
  url: text('URL that receives deliveries.'),
  description: text('Description; may be empty.'),
  payloadFormat: choice(
    PAYLOAD_FORMATS,
    'Payload format: our JSON, or a CloudEvent 1.0 in structured mode.',
  ),
  standardWebhooks: flag(
    'Whether requests also carry the headers of Standard Webhooks: `webhook-id`, ' +
      '`webhook-timestamp` and `webhook-signature`.',
  ),
  state: choice(['enabled', 'disabled'], 'Deliveries to a disabled endpoint are held.'),
  disabledAt: nullable(instant('Time the endpoint was disabled; null if enabled.')),
  disabledReason: nullable(
    choice(
      REASONS,
      'Why it is disabled. `failing`: no 2xx response for five days; `gone`: it responded with ' +
        '410.',
    ),
  ),
  isDev: flag('Whether it is reachable only through a development setting.'),
  createdAt: instant('Time of creation.'),
  createdBy: nullable(creatorSchema),
  updatedAt: instant('Time of the last update.'),
  subscriptionCount: integer('Number of subscriptions. Without any, nothing is sent.'),
  lastDeliveryAt: nullable(instant('Time the latest delivery was created.')),
  lastSuccessAt: nullable(instant('Time of the last 2xx response.')),
  lastFailureAt: nullable(instant('Time of the last failed attempt.')),
  failingSince: nullable(instant('Time of the first failure since the last success.')),
  failureCount: integer('Failed attempts since the last success.'),
  recentDelivered: integer(
    'Deliveries that succeeded, of the last 100 that succeeded or finally failed.',
  ),
  recentFailed: integer('Deliveries that finally failed, of the same 100.'),
  nextSecretSince: nullable(instant('Time the next secret was prepared; null if none is.')),
  previousSecretEndsAt: nullable(
    instant('Expiration time of the previous secret; may be in the past.'),
  ),
});

/** Returns the public representations of endpoints. */
export async function endpointViews(
  db: Queryable,
  endpoints: readonly WebhookEndpoint[],
): Promise<BodyOf<typeof endpointSchema>[]> {
  const ids = endpoints.map(({ id }) => id);
  const recent = await loadRecentDeliveries(db, ids);
  const changes = await loadSecretChanges(db, ids);
  return endpoints.map((endpoint) => ({
    ...render(endpoint, recent.get(endpoint.id) ?? NONE),
    nextSecretSince: formatOptional(changes.get(endpoint.id)?.nextPreparedAt ?? null),
    previousSecretEndsAt: formatOptional(changes.get(endpoint.id)?.previousExpiresAt ?? null),
  }));
}

const NONE: RecentDeliveries = { delivered: 0, failed: 0, lastDeliveryAt: null };

/** Lists fields explicitly so that new fields are not exposed by accident. */
function render(endpoint: WebhookEndpoint, recent: RecentDeliveries) {
  const { id, url, description, isDev, disabledReason, subscriptionCount } = endpoint;
  const { failureCount, payloadFormat, standardWebhooks } = endpoint;
  return {
    id,
    url,
    description,
    isDev,
    disabledReason,
    subscriptionCount,
    failureCount,
    payloadFormat,
    standardWebhooks,
    state: endpoint.disabledAt === null ? ('enabled' as const) : ('disabled' as const),
    disabledAt: formatOptional(endpoint.disabledAt),
    createdAt: formatInstant(endpoint.createdAt),
    createdBy: creatorView(endpoint.createdBy),
    updatedAt: formatInstant(endpoint.updatedAt),
    lastDeliveryAt: formatOptional(recent.lastDeliveryAt),
    lastSuccessAt: formatOptional(endpoint.lastSuccessAt),
    lastFailureAt: formatOptional(endpoint.lastFailureAt),
    failingSince: formatOptional(endpoint.failingSince),
    recentDelivered: recent.delivered,
    recentFailed: recent.failed,
  };
}
