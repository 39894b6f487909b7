import { Type } from 'typebox';
import { loadQueueStats } from '../../../webhooks/stats/queue-stats.ts';
import { loadUnhealthyEndpoints } from '../../../webhooks/stats/unhealthy-endpoints.ts';
import {
  flag,
  instant,
  integer,
  list,
  named,
  nullable,
  number,
  text,
} from '../../../endpoints/schema/fields.ts';
import { deliveryFilters, findDeliveryPage, optionalText } from '../delivery-page.ts';
import { deliveryFields, renderDelivery } from '../delivery-view.ts';
import { formatOptional } from '../instants.ts';
import { defineRoute, done, type RouteGroup } from '../route.ts';

const listRoute = defineRoute({
  name: 'system-deliveries-list',
  method: 'GET',
  path: '/operator/v1/deliveries',
  summary: 'List deliveries for all customers',
  describe:
    'To retrieve a delivery with its attempts, use `/account/v1/deliveries` with `customerId` ' +
    'in the query.',
  access: 'system.read',
  query: Type.Object({
    customerId: optionalText('Only deliveries of this customer.'),
    ...deliveryFilters,
  }),
  status: 200,
  response: named('SystemDeliveryPage', {
    deliveries: list(
      named('SystemDelivery', { customerId: text('Customer ID, `cus_…`.'), ...deliveryFields }),
      'Newest first.',
    ),
    next: nullable(text('Pass as `before` to get the next page; null on the last page.')),
  }),
  async handle({ deps, query }) {
    const { customerId = null, ...filters } = query;
    const page = await findDeliveryPage(deps.db, customerId, filters);
    if ('rejected' in page) return page.rejected;
    const deliveries = page.deliveries.map((delivery) => ({
      customerId: delivery.customerId,
      ...renderDelivery(delivery),
    }));
    return done({ deliveries, next: page.next });
  },
});

const UNHEALTHY_MAX = 20;

const queueRoute = defineRoute({
  name: 'webhook-stats-read',
  method: 'GET',
  path: '/operator/v1/webhooks/figures',
  summary: 'Retrieve the state of the webhook queue',
  access: 'system.read',
  status: 200,
  response: named('WebhookQueueStats', {
    due: integer('Due deliveries; counted up to 100,000.'),
    oldestDueSeconds: number('Delay of the oldest due delivery, in seconds.'),
    inFlight: integer('Deliveries in flight.'),
    toTell: integer('Changed symbols whose subscribers do not all have a delivery yet.'),
    slowEndpoints: integer('Endpoints limited to one delivery at a time.'),
    failingEndpoints: integer('Enabled endpoints whose last attempt failed.'),
    disabledEndpoints: integer('Disabled endpoints.'),
    worst: list(
      named('UnhealthyEndpoint', {
        endpointId: text('Endpoint ID, `whe_…`.'),
        customerId: text('Customer ID, `cus_…`.'),
        url: text('URL of the endpoint.'),
        isSlow: flag('Whether the endpoint is limited to one delivery at a time.'),
        failingSince: nullable(instant('Time of the first failure since the last success.')),
        failureCount: integer('Failed attempts since the last success.'),
        lastSuccessAt: nullable(instant('Time of the last 2xx response.')),
        oldestDueAt: nullable(instant('Due time of the oldest due delivery; null if none is due.')),
      }),
      `Up to ${UNHEALTHY_MAX} endpoints: those with the oldest due delivery, then those failing the ` +
        'longest.',
    ),
  }),
  async handle({ deps: { db }, now }) {
    const stats = await loadQueueStats(db, now);
    const unhealthy = await loadUnhealthyEndpoints(db, { now, limit: UNHEALTHY_MAX });
    return done({
      ...stats,
      worst: unhealthy.map(({ failingSince, lastSuccessAt, oldestDueAt, ...rest }) => ({
        ...rest,
        failingSince: formatOptional(failingSince),
        lastSuccessAt: formatOptional(lastSuccessAt),
        oldestDueAt: formatOptional(oldestDueAt),
      })),
    });
  },
});

export const group: RouteGroup = {
  name: 'system-deliveries',
  describe: 'Webhook deliveries and the delivery queue across all customers.',
  routes: [listRoute, queueRoute],
};
