import { Type } from 'typebox';
import { loadQueueFigures } from '../../../webhooks/stats/queue-stats.ts';
import { loadWorstEndpoints } from '../../../webhooks/stats/unhealthy-endpoints.ts';
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
import { shown } from '../instants.ts';
import { defineRoute, done, type RouteGroup } from '../route.ts';

const listRoute = defineRoute({
  name: 'system-deliveries-list',
  method: 'GET',
  path: '/operator/v1/deliveries',
  summary: 'Deliveries of all customers',
  describe: 'One with its attempts is under `/account/v1/deliveries`, with its `customerId`.',
  access: 'system.read',
  query: Type.Object({
    customerId: optionalText('Those of this customer.'),
    ...deliveryFilters,
  }),
  status: 200,
  response: named('SystemDeliveryPage', {
    deliveries: list(
      named('SystemDelivery', {
        customerId: text('Whose.'),
        ...deliveryFields,
      }),
      'Newest first.',
    ),
    next: nullable(text('Give it as `before` for the page behind this one; null: no more.')),
  }),
  async handle({ deps, query }) {
    const { customerId = null, ...filters } = query;
    const page = await findDeliveryPage(deps.db, customerId, filters);
    if ('refused' in page) return page.refused;
    const deliveries = page.found.map((each) => ({
      customerId: each.customerId,
      ...renderDelivery(each),
    }));
    return done({
      deliveries,
      next: page.next,
    });
  },
});

const WORST_MAX = 20;

const figuresRoute = defineRoute({
  name: 'webhook-stats-read',
  method: 'GET',
  path: '/operator/v1/webhooks/figures',
  summary: 'How the queue of deliveries stands, and which endpoints hold it up',
  access: 'system.read',
  status: 200,
  response: named('WebhookQueueStats', {
    due: integer('Deliveries that should be on their way; counted up to 100,000.'),
    oldestDueSeconds: number('How late the oldest of them is.'),
    inFlight: integer('Under way.'),
    toTell: integer('Companies of which not all subscribers are told yet.'),
    slowEndpoints: integer('Endpoints in the slow lane.'),
    failingEndpoints: integer('Endpoints of which the last attempt failed.'),
    disabledEndpoints: integer('Endpoints that are disabled.'),
    worst: list(
      named('UnhealthyEndpoint', {
        endpointId: text('Id, `whe_…`.'),
        customerId: text('Whose.'),
        url: text('Where deliveries are posted.'),
        isSlow: flag('Whether it is in the slow lane.'),
        failingSince: nullable(instant('The first failure since its last 2xx.')),
        failureCount: integer('Failed attempts since its last 2xx.'),
        lastSuccessAt: nullable(instant('When it answered 2xx last.')),
        oldestDueAt: nullable(instant('Since when its oldest delivery is due; null: none is.')),
      }),
      `At most ${WORST_MAX}: those with the oldest due delivery, then those that fail the longest.`,
    ),
  }),
  async handle({ deps: { db }, now }) {
    const figures = await loadQueueFigures(db, now);
    const worst = await loadWorstEndpoints(db, {
      now,
      limit: WORST_MAX,
    });
    return done({
      ...figures,
      worst: worst.map(({ failingSince, lastSuccessAt, oldestDueAt, ...rest }) => ({
        ...rest,
        failingSince: shown(failingSince),
        lastSuccessAt: shown(lastSuccessAt),
        oldestDueAt: shown(oldestDueAt),
      })),
    });
  },
});

export const group: RouteGroup = {
  name: 'system-deliveries',
  describe: 'Webhooks of all customers.',
  routes: [listRoute, figuresRoute],
};
