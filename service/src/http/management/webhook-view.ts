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
import type { Queryable } from '../../storage/db.ts';
import { shown } from './instants.ts';

const REASONS = ['owner', 'operator', 'failing', 'gone'] as const;

export const endpointSchema = named('WebhookEndpoint', {
  id: text('Id, `whe_…`.'),
  url: text('Where deliveries are posted.'),
  description: text('What its owner calls it; may be empty.'),
  state: choice(['enabled', 'disabled'], 'Deliveries to a disabled one are held.'),
  disabledAt: nullable(instant('Since when.')),
  disabledReason: nullable(
    choice(REASONS, '`failing`: for five days without a 2xx; `gone`: it answered 410.'),
  ),
  isDev: flag('It can be reached by a setting for development alone.'),
  createdAt: instant('When it was made.'),
  updatedAt: instant('When its terms were changed last.'),
  subscriptionCount: integer(
    'Symbols and templates it is told of; none means that nothing is sent.',
  ),
  lastDeliveryAt: nullable(instant('When the newest delivery was opened.')),
  lastSuccessAt: nullable(instant('When it answered 2xx last.')),
  lastFailureAt: nullable(instant('When it did not, last.')),
  failingSince: nullable(instant('The first failure since its last 2xx.')),
  failureCount: integer('Failed attempts since its last 2xx.'),
  recentDelivered: integer('Answered 2xx, of the last hundred that were answered so or given up.'),
  recentFailed: integer('Given up, of the same.'),
  nextSecretSince: nullable(instant('When its next secret was prepared, which signs beside.')),
  previousSecretEndsAt: nullable(
    instant('When the secret before stops signing beside; after a change it may be over.'),
  ),
});

/** Endpoints as they are shown. */
export async function endpointViews(
  db: Queryable,
  endpoints: readonly WebhookEndpoint[],
): Promise<BodyOf<typeof endpointSchema>[]> {
  const ids = endpoints.map(({ id }) => id);
  const recent = await loadRecentDeliveries(db, ids);
  const changes = await loadSecretChanges(db, ids);
  return endpoints.map((endpoint) => ({
    ...render(endpoint, recent.get(endpoint.id) ?? NONE),
    nextSecretSince: shown(changes.get(endpoint.id)?.nextSince ?? null),
    previousSecretEndsAt: shown(changes.get(endpoint.id)?.previousEndsAt ?? null),
  }));
}

const NONE: RecentDeliveries = { delivered: 0, failed: 0, lastDeliveryAt: null };

/** Field by field, so that nothing is shown by forgetting it. */
function render(endpoint: WebhookEndpoint, recent: RecentDeliveries) {
  const { id, url, description, isDev, disabledReason, subscriptionCount } = endpoint;
  const { failureCount } = endpoint;
  return {
    id,
    url,
    description,
    isDev,
    disabledReason,
    subscriptionCount,
    failureCount,
    state: endpoint.disabledAt === null ? ('enabled' as const) : ('disabled' as const),
    disabledAt: shown(endpoint.disabledAt),
    createdAt: formatInstant(endpoint.createdAt),
    updatedAt: formatInstant(endpoint.updatedAt),
    lastDeliveryAt: shown(recent.lastDeliveryAt),
    lastSuccessAt: shown(endpoint.lastSuccessAt),
    lastFailureAt: shown(endpoint.lastFailureAt),
    failingSince: shown(endpoint.failingSince),
    recentDelivered: recent.delivered,
    recentFailed: recent.failed,
  };
}
