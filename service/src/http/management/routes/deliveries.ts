import { Type } from 'typebox';
import { listAlerts } from '../../../webhooks/endpoint/alerts.ts';
import { redeliverByHand } from '../../../webhooks/queue/delivery-actions.ts';
import { loadDelivery } from '../../../webhooks/log/delivery-log.ts';
import { ALERT_KINDS } from '../../../webhooks/endpoint/endpoint-health.ts';
import {
  choice,
  flag,
  instant,
  integer,
  list,
  named,
  nullable,
  text,
} from '../../../endpoints/schema/fields.ts';
import { formatInstant } from '../../../platform/instant.ts';
import { deliveryFilters, findDeliveryPage } from '../delivery-page.ts';
import {
  deliverySchema,
  fullDeliverySchema,
  renderDelivery,
  renderFullDelivery,
} from '../delivery-view.ts';
import { shown } from '../instants.ts';
import { refused, refusedNotFound } from '../refusals.ts';
import { defineRoute, done, type RouteGroup } from '../route.ts';

const PATH = '/account/v1/deliveries';
const ONE = `${PATH}/{deliveryId}`;

const listRoute = defineRoute({
  name: 'deliveries-list',
  method: 'GET',
  path: PATH,
  summary: 'The log of deliveries',
  describe: 'Rows are kept for ninety days, attempts with what was sent and answered for thirty.',
  access: 'webhooks.read',
  query: Type.Object(deliveryFilters),
  status: 200,
  response: named('DeliveryPage', {
    deliveries: list(deliverySchema, 'Newest first.'),
    next: nullable(text('Give it as `before` for the page behind this one; null: no more.')),
  }),
  async handle({ deps, customerId, query }) {
    const page = await findDeliveryPage(deps.db, customerId, query);
    if ('refused' in page) return page.refused;
    return done({
      deliveries: page.found.map(renderDelivery),
      next: page.next,
    });
  },
});

const readRoute = defineRoute({
  name: 'deliveries-read',
  method: 'GET',
  path: ONE,
  summary: 'One delivery with its attempts',
  describe: 'Signatures are shown in full, secrets never.',
  access: 'webhooks.read',
  status: 200,
  response: fullDeliverySchema,
  async handle(call) {
    const of = {
      customerId: call.customerId,
      deliveryId: call.param('deliveryId'),
    };
    const record = await loadDelivery(call.deps.db, of);
    return record === null ? refusedNotFound() : done(renderFullDelivery(record));
  },
});

const redeliverRoute = defineRoute({
  name: 'deliveries-redeliver',
  method: 'POST',
  path: `${ONE}/redeliver`,
  summary: 'Send again what a finished delivery was about',
  describe: 'Under a new id, with the data of now and all fields named.',
  access: 'webhooks.redeliver',
  status: 201,
  response: named('RedeliveryResult', {
    deliveryId: text('Of the new one.'),
    isHeld: flag('The endpoint is disabled: it goes out when it is enabled.'),
  }),
  async handle(call) {
    const of = {
      customerId: call.customerId,
      deliveryId: call.param('deliveryId'),
    };
    const outcome = await redeliverByHand(call.deps, of, call.by);
    switch (outcome.kind) {
      case 'opened':
        return done({
          deliveryId: outcome.id,
          isHeld: outcome.isHeld,
        });
      case 'not-found':
        return refusedNotFound();
      case 'not-finished':
        return refused('conflict', 'It is not finished: it is sent by itself.');
      case 'not-subscribed':
        return refused('conflict', 'The endpoint is not subscribed to this company any more.');
    }
  },
});

const alert = named('WebhookAlert', {
  id: integer('Counts up.'),
  endpointId: text('Of which endpoint.'),
  kind: choice(ALERT_KINDS, 'What happened; each once in an episode of failures.'),
  at: instant('When.'),
  failingSince: nullable(instant('When the failures began.')),
  detail: text('The same in a sentence.'),
});

const alertsRoute = defineRoute({
  name: 'webhook-alerts-list',
  method: 'GET',
  path: '/account/v1/webhook-alerts',
  summary: 'What endpoints suffered',
  access: 'webhooks.read',
  query: Type.Object({
    before: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'The `next` of a page.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'Of a page; 50 unless given.',
      }),
    ),
  }),
  status: 200,
  response: named('WebhookAlertPage', {
    alerts: list(alert, 'Newest first.'),
    next: nullable(integer('Give it as `before` for the page behind this one; null: no more.')),
  }),
  async handle({ deps, customerId, query }) {
    const { limit = 50, before } = query;
    const found = await listAlerts(deps.db, {
      customerId,
      limit,
      ...(before === undefined ? {} : { before }),
    });
    const next = found.length === limit ? (found.at(-1)?.id ?? null) : null;
    return done({
      alerts: found.map(({ id, endpointId, kind, at, failingSince, detail }) => ({
        id,
        endpointId,
        kind,
        detail,
        at: formatInstant(at),
        failingSince: shown(failingSince),
      })),
      next,
    });
  },
});

export const group: RouteGroup = {
  name: 'deliveries',
  describe: 'What was sent to webhook endpoints, and how they answered.',
  routes: [listRoute, readRoute, redeliverRoute, alertsRoute],
};
