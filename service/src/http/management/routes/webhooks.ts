import { Type } from 'typebox';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
} from '../../../webhooks/endpoint/endpoint-actions.ts';
import { findEndpoint, listEndpoints } from '../../../webhooks/endpoint/webhook-endpoint.ts';
import {
  recoverByHand,
  sendTest,
  TESTS_PER_MINUTE,
} from '../../../webhooks/queue/delivery-actions.ts';
import { RECOVER_DAYS_MAX } from '../../../webhooks/queue/redeliver.ts';
import { integer, list, named, text } from '../../../endpoints/schema/fields.ts';
import type { Caller } from '../caller.ts';
import { readInstant } from '../instants.ts';
import { refusedInvalid, refusedNotFound } from '../refusals.ts';
import { type Call, defineRoute, done, type RouteGroup } from '../route.ts';
import { webhookRefusal } from '../webhook-refusals.ts';
import { endpointSchema, endpointViews } from '../webhook-view.ts';

const PATH = '/account/v1/webhooks';
const ONE = `${PATH}/{endpointId}`;
const URL_TEXT = Type.String({ maxLength: 2_048, description: 'Public, `https://`, port 443.' });
const DESCRIPTION = Type.String({ maxLength: 200, description: 'What you call it.' });

const listRoute = defineRoute({
  name: 'webhooks-list',
  method: 'GET',
  path: PATH,
  summary: 'The webhook endpoints of the account',
  access: 'webhooks.read',
  status: 200,
  response: list(endpointSchema, 'Oldest first.'),
  async handle({ deps, customerId }) {
    return done(await endpointViews(deps.db, await listEndpoints(deps.db, customerId)));
  },
});

const readRoute = defineRoute({
  name: 'webhooks-read',
  method: 'GET',
  path: ONE,
  summary: 'One webhook endpoint',
  access: 'webhooks.read',
  status: 200,
  response: endpointSchema,
  async handle(call) {
    const endpoint = await findEndpoint(call.deps.db, endpointOf(call));
    if (endpoint === null) return refusedNotFound();
    return done((await endpointViews(call.deps.db, [endpoint]))[0]);
  },
});

const createRoute = defineRoute({
  name: 'webhooks-create',
  method: 'POST',
  path: PATH,
  summary: 'Add a webhook endpoint',
  describe:
    'The secret is shown now. Nothing is sent until the endpoint is subscribed to companies: an ' +
    'endpoint without subscriptions is told of nothing, not of everything.',
  access: 'webhooks.change',
  body: Type.Object({
    url: URL_TEXT,
    description: Type.Optional(DESCRIPTION),
  }),
  status: 201,
  response: named('CreatedWebhookEndpoint', {
    id: text('Id, `whe_…`.'),
    secret: text('`whsec_…`: signs what is sent there.'),
  }),
  async handle({ deps, customerId, body, by }) {
    const outcome = await createEndpoint(
      deps,
      {
        customerId,
        ...body,
      },
      by,
    );
    if (outcome.kind !== 'created') return webhookRefusal(outcome);
    return done({
      id: outcome.id,
      secret: outcome.secret,
    });
  },
});

const changeRoute = defineRoute({
  name: 'webhooks-update',
  method: 'PATCH',
  path: ONE,
  summary: 'Change a webhook endpoint',
  describe:
    'What is left out stays as it is, as does everything when any of it is refused. While an ' +
    'endpoint is disabled its deliveries are held, one a company; when it is enabled again they go ' +
    'out with the data of that moment.',
  access: 'webhooks.change',
  body: Type.Object({
    url: Type.Optional(URL_TEXT),
    description: Type.Optional(DESCRIPTION),
    enabled: Type.Optional(Type.Boolean()),
  }),
  status: 204,
  response: null,
  async handle(call) {
    const { deps, body, by } = call;
    const change = {
      ...endpointOf(call),
      ...body,
      isOperator: isByOperator(call.caller),
    };
    const outcome = await changeEndpoint(deps, change, by);
    if (outcome.kind !== 'changed' && outcome.kind !== 'unchanged') return webhookRefusal(outcome);
    if (body.enabled !== undefined) deps.webhooks.wake();
    return done();
  },
});

const deleteRoute = defineRoute({
  name: 'webhooks-delete',
  method: 'DELETE',
  path: ONE,
  summary: 'Take a webhook endpoint out for good',
  describe: 'With its secrets and subscriptions. What waits is cancelled; the log stays.',
  access: 'webhooks.change',
  status: 204,
  response: null,
  async handle(call) {
    const outcome = await deleteEndpoint(call.deps, endpointOf(call), call.by);
    return outcome.kind === 'changed' ? done() : webhookRefusal(outcome);
  },
});

const testRoute = defineRoute({
  name: 'webhooks-test',
  method: 'POST',
  path: `${ONE}/test`,
  summary: 'Send a test',
  describe:
    'One delivery, attempted once, with the data that a company has now; an endpoint that is ' +
    `disabled gets it too. Read the delivery to see how it went. At most ${TESTS_PER_MINUTE} a minute.`,
  access: 'webhooks.redeliver',
  body: Type.Object({
    templateId: Type.Optional(
      Type.String({
        maxLength: 100,
        description: '`earnings_schedule` unless given.',
      }),
    ),
    symbol: Type.Optional(
      Type.String({
        maxLength: 24,
        description: 'One that it is subscribed to, unless given.',
      }),
    ),
  }),
  status: 201,
  response: named('TestDelivery', {
    deliveryId: text('Read it with `GET /account/v1/deliveries/{deliveryId}`.'),
    symbol: text('Whose data it has.'),
  }),
  async handle(call) {
    const { templateId = 'earnings_schedule', symbol } = call.body;
    const options = {
      ...endpointOf(call),
      templateId,
      symbol,
    };
    const outcome = await sendTest(call.deps, options, call.by);
    if (outcome.kind !== 'opened') return webhookRefusal(outcome);
    return done({
      deliveryId: outcome.id,
      symbol: outcome.symbol,
    });
  },
});

const recoverRoute = defineRoute({
  name: 'webhooks-recover',
  method: 'POST',
  path: `${ONE}/recover`,
  summary: 'Send again what was missed since an instant',
  describe:
    'One new delivery for each company whose newest one since then was not answered 2xx, with the ' +
    `data of now and all fields named. At most ${RECOVER_DAYS_MAX} days back.`,
  access: 'webhooks.redeliver',
  body: Type.Object({ since: Type.String({ description: 'An instant in RFC 3339.' }) }),
  status: 200,
  response: named('RecoveryResult', { opened: integer('Deliveries that were opened.') }),
  async handle(call) {
    const since = readInstant(call.body.since, 'since');
    if ('refused' in since) return since.refused;
    const { instant = call.now } = since;
    if (instant < call.now - RECOVER_DAYS_MAX * DAY_MS || instant > call.now) {
      const detail = `past, and at most ${RECOVER_DAYS_MAX} days ago`;
      return refusedInvalid({
        kind: 'invalid',
        parameter: 'since',
        detail,
      });
    }
    const options = {
      ...endpointOf(call),
      since: instant,
    };
    const outcome = await recoverByHand(call.deps, options, call.by);
    return outcome.kind === 'opened' ? done({ opened: outcome.count }) : webhookRefusal(outcome);
  },
});

const DAY_MS = 86_400_000;

export const group: RouteGroup = {
  name: 'webhooks',
  describe: 'Where the account is told of changes.',
  routes: [listRoute, createRoute, readRoute, changeRoute, deleteRoute, testRoute, recoverRoute],
};

function endpointOf(call: Call): { customerId: string; endpointId: string } {
  return { customerId: call.customerId, endpointId: call.param('endpointId') };
}

function isByOperator(caller: Caller | null): boolean {
  return caller?.kind === 'person' && caller.person.role === 'operator';
}
