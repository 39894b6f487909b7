import { Type } from 'typebox';
import { listAlerts } from '../../../webhooks/endpoint/alerts.ts';
import { redeliverDelivery } from '../../../webhooks/queue/delivery-actions.ts';
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
  deliveryDetailSchema,
  renderDelivery,
  renderDeliveryDetail,
} from '../delivery-view.ts';
import { formatOptional } from '../instants.ts';
import { reject, rejectNotFound } from '../refusals.ts';
import { defineRoute, done, type RouteGroup } from '../route.ts';
import { nextNumber } from '../described-text.ts';

const PATH = '/account/v1/deliveries';
const DELIVERY_PATH = `${PATH}/{deliveryId}`;

const listRoute = defineRoute({
  name: 'deliveries-list',
  method: 'GET',
  path: PATH,
  summary: 'List deliveries',
  describe:
    'By default, deliveries are kept for 90 days, and attempts with their requests and ' +
    'responses for 30 days.',
  access: 'webhooks.read',
  query: Type.Object(deliveryFilters),
  status: 200,
  response: named('DeliveryPage', {
    deliveries: list(deliverySchema, 'Newest first.'),
    next: nullable(text('Pass as `before` to get the next page; null on the last page.')),
  }),
  async handle({ deps, customerId, query }) {
    const page = await findDeliveryPage(deps.db, customerId, query);
    if ('rejected' in page) return page.rejected;
    return done({ deliveries: page.deliveries.map(renderDelivery), next: page.next });
  },
});

const readRoute = defineRoute({
  name: 'deliveries-read',
  method: 'GET',
  path: DELIVERY_PATH,
  summary: 'Retrieve a delivery',
  describe: 'Includes all attempts. Signatures are shown in full; secrets are never shown.',
  access: 'webhooks.read',
  status: 200,
  response: deliveryDetailSchema,
  async handle(call) {
    const ids = { customerId: call.customerId, deliveryId: call.param('deliveryId') };
    const record = await loadDelivery(call.deps.db, ids);
    return record === null ? rejectNotFound() : done(renderDeliveryDetail(record));
  },
});

const redeliverRoute = defineRoute({
  name: 'deliveries-redeliver',
  method: 'POST',
  path: `${DELIVERY_PATH}/redeliver`,
  summary: 'Resend a delivery',
  describe:
    'Creates a new delivery for the same symbol, with a new ID, current data and all fields ' +
    'listed as changed.',
  access: 'webhooks.redeliver',
  status: 201,
  response: named('RedeliveryResult', {
    deliveryId: text('ID of the new delivery.'),
    isHeld: flag('Whether the delivery is held until the disabled endpoint is enabled.'),
  }),
  async handle(call) {
    const ids = { customerId: call.customerId, deliveryId: call.param('deliveryId') };
    const outcome = await redeliverDelivery(call.deps, ids, call.actor);
    switch (outcome.kind) {
      case 'opened':
        return done({ deliveryId: outcome.id, isHeld: outcome.isHeld });
      case 'not-found':
        return rejectNotFound();
      case 'not-finished':
        return reject(
          'conflict',
          'The delivery is not finished yet; it will be retried automatically.',
        );
      case 'not-subscribed':
        return reject('conflict', 'The endpoint is no longer subscribed to this symbol.');
    }
  },
});

const alert = named('WebhookAlert', {
  id: integer('Increasing ID.'),
  endpointId: text('The affected endpoint.'),
  kind: choice(ALERT_KINDS, 'Kind of alert. Each kind is raised once per failure episode.'),
  at: instant('Time of the alert.'),
  failingSince: nullable(instant('Start of the failures.')),
  detail: text('Description of the alert.'),
});

const alertsRoute = defineRoute({
  name: 'webhook-alerts-list',
  method: 'GET',
  path: '/account/v1/webhook-alerts',
  summary: 'List webhook alerts',
  access: 'webhooks.read',
  query: Type.Object({
    before: Type.Optional(nextNumber()),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'Page size; 50 by default.',
      }),
    ),
  }),
  status: 200,
  response: named('WebhookAlertPage', {
    alerts: list(alert, 'Newest first.'),
    next: nullable(integer('Pass as `before` to get the next page; null on the last page.')),
  }),
  async handle({ deps, customerId, query }) {
    const { limit = 50, before } = query;
    const alerts = await listAlerts(deps.db, {
      customerId,
      limit,
      ...(before === undefined ? {} : { before }),
    });
    const next = alerts.length === limit ? (alerts.at(-1)?.id ?? null) : null;
    return done({
      alerts: alerts.map(({ id, endpointId, kind, at, failingSince, detail }) => ({
        id,
        endpointId,
        kind,
        detail,
        at: formatInstant(at),
        failingSince: formatOptional(failingSince),
      })),
      next,
    });
  },
});

export const group: RouteGroup = {
  name: 'deliveries',
  describe:
    'Webhook deliveries with their attempts and responses, and alerts about failing endpoints.',
  routes: [listRoute, readRoute, redeliverRoute, alertsRoute],
};
