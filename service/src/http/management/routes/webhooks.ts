import { Type } from 'typebox';
import {
  updateEndpoint,
  createEndpoint,
  deleteEndpoint,
} from '../../../webhooks/endpoint/endpoint-actions.ts';
import { findEndpoint, listEndpoints } from '../../../webhooks/endpoint/webhook-endpoint.ts';
import {
  recoverEndpoint,
  sendTest,
  TESTS_PER_MINUTE,
} from '../../../webhooks/queue/delivery-actions.ts';
import { RECOVER_DAYS_MAX } from '../../../webhooks/queue/redeliver.ts';
import { flag, integer, list, named, text } from '../../../endpoints/schema/fields.ts';
import { PAYLOAD_FORMATS } from '../../../webhooks/message/payload.ts';
import { isOperator } from '../caller.ts';
import { readInstant } from '../instants.ts';
import { rejectInvalid, rejectNotFound, webhookRejection } from '../refusals.ts';
import { type Call, defineRoute, done, type RouteGroup } from '../route.ts';
import { endpointSchema, endpointViews } from '../webhook-view.ts';
import { instantText, lineText, symbolText } from '../described-text.ts';
import { describedAs } from '../../openapi/collect-schemas.ts';

const PATH = '/account/v1/webhooks';
const ENDPOINT_PATH = `${PATH}/{endpointId}`;
const URL_TEXT = describedAs(
  Type.String({ maxLength: 2_048, description: 'Public `https://` URL on port 443.' }),
  { format: 'uri' },
);
const DESCRIPTION = lineText('Description for your own use.');

const PAYLOAD_FORMAT = Type.Enum(PAYLOAD_FORMATS, {
  type: 'string',
  description:
    'Payload format; `json` by default. `cloudevents` sends CloudEvents 1.0 in ' +
    'structured mode.',
});
const SETTINGS = {
  description: Type.Optional(DESCRIPTION),
  payloadFormat: Type.Optional(PAYLOAD_FORMAT),
  standardWebhooks: Type.Optional(
    flag(
      'Also sends the headers of Standard Webhooks, so that its libraries verify the requests; ' +
        '`false` by default. The secret is the same.',
    ),
  ),
};

const listRoute = defineRoute({
  name: 'webhooks-list',
  method: 'GET',
  path: PATH,
  summary: 'List webhook endpoints',
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
  path: ENDPOINT_PATH,
  summary: 'Retrieve a webhook endpoint',
  access: 'webhooks.read',
  status: 200,
  response: endpointSchema,
  async handle(call) {
    const endpoint = await findEndpoint(call.deps.db, endpointOf(call));
    if (endpoint === null) return rejectNotFound();
    return done((await endpointViews(call.deps.db, [endpoint]))[0]);
  },
});

const createRoute = defineRoute({
  name: 'webhooks-create',
  method: 'POST',
  path: PATH,
  summary: 'Create a webhook endpoint',
  describe:
    'Returns the endpoint with its signing secret. Nothing is sent until you subscribe the endpoint to symbols: an ' +
    'endpoint without subscriptions receives no deliveries.',
  access: 'webhooks.change',
  body: Type.Object({ url: URL_TEXT, ...SETTINGS }),
  status: 201,
  response: named('CreatedWebhookEndpoint', {
    ...endpointSchema.properties,
    secret: text('Signing secret, `whsec_…`.'),
  }),
  async handle({ deps, customerId, body, actor }) {
    const outcome = await createEndpoint(deps, { customerId, ...body }, actor);
    if (outcome.kind !== 'created') return webhookRejection(outcome);
    const { id: endpointId, secret } = outcome;
    const endpoint = await findEndpoint(deps.db, { customerId, endpointId });
    if (endpoint === null) return rejectNotFound();
    const [view] = await endpointViews(deps.db, [endpoint]);
    return done({ ...view, secret });
  },
});

const changeRoute = defineRoute({
  name: 'webhooks-update',
  method: 'PATCH',
  path: ENDPOINT_PATH,
  summary: 'Update a webhook endpoint',
  describe:
    'Omitted fields are unchanged. If one field is rejected, nothing changes. While an endpoint ' +
    'is disabled, its deliveries are held, at most one per symbol and template. When you enable ' +
    'it, they are sent with current data.',
  access: 'webhooks.change',
  body: Type.Object({
    url: Type.Optional(URL_TEXT),
    ...SETTINGS,
    enabled: Type.Optional(Type.Boolean()),
  }),
  status: 204,
  response: null,
  async handle(call) {
    const { deps, body, actor } = call;
    const change = { ...endpointOf(call), ...body, isOperator: isOperator(call.caller) };
    const outcome = await updateEndpoint(deps, change, actor);
    if (outcome.kind !== 'changed' && outcome.kind !== 'unchanged')
      return webhookRejection(outcome);
    if (body.enabled !== undefined) deps.webhooks.wake();
    return done();
  },
});

const deleteRoute = defineRoute({
  name: 'webhooks-delete',
  method: 'DELETE',
  path: ENDPOINT_PATH,
  summary: 'Delete a webhook endpoint',
  describe:
    'Also deletes its secrets and subscriptions, and cancels pending deliveries. The delivery ' +
    'log is kept.',
  access: 'webhooks.change',
  status: 204,
  response: null,
  async handle(call) {
    const outcome = await deleteEndpoint(call.deps, endpointOf(call), call.actor);
    return outcome.kind === 'changed' ? done() : webhookRejection(outcome);
  },
});

const testRoute = defineRoute({
  name: 'webhooks-test',
  method: 'POST',
  path: `${ENDPOINT_PATH}/test`,
  summary: 'Send a test delivery',
  describe:
    'Sends one delivery with the current data of a symbol, in a single attempt, even if the ' +
    'endpoint is disabled. Retrieve the delivery to see the result. Limited to ' +
    `${TESTS_PER_MINUTE} tests per minute.`,
  access: 'webhooks.redeliver',
  body: Type.Object({
    templateId: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Template ID; `earnings_schedule` by default.',
      }),
    ),
    symbol: Type.Optional(
      symbolText(
        'Ticker symbol; by default, one the endpoint is subscribed to, or for a set any company with data.',
      ),
    ),
  }),
  status: 201,
  response: named('TestDelivery', {
    deliveryId: text('ID of the test delivery, for `GET /account/v1/deliveries/{deliveryId}`.'),
    symbol: text('Symbol the test delivery is about.'),
  }),
  async handle(call) {
    const { templateId = 'earnings_schedule', symbol } = call.body;
    const options = { ...endpointOf(call), templateId, symbol };
    const outcome = await sendTest(call.deps, options, call.actor);
    if (outcome.kind !== 'opened') return webhookRejection(outcome);
    return done({ deliveryId: outcome.id, symbol: outcome.symbol });
  },
});

const recoverRoute = defineRoute({
  name: 'webhooks-recover',
  method: 'POST',
  path: `${ENDPOINT_PATH}/recover`,
  summary: 'Recover failed deliveries',
  describe:
    'Creates one delivery for each symbol whose latest delivery since the given time did not ' +
    'succeed, with current data and all fields listed as changed. Reaches back at most ' +
    `${RECOVER_DAYS_MAX} days.`,
  access: 'webhooks.redeliver',
  body: Type.Object({ since: instantText('Start time, RFC 3339.') }),
  status: 200,
  response: named('RecoveryResult', { opened: integer('Number of deliveries created.') }),
  async handle(call) {
    const since = readInstant(call.body.since, 'since');
    if ('rejected' in since) return since.rejected;
    const { instant = call.now } = since;
    if (instant < call.now - RECOVER_DAYS_MAX * DAY_MS || instant > call.now) {
      const detail = `must be in the past, at most ${RECOVER_DAYS_MAX} days ago`;
      return rejectInvalid('since', detail);
    }
    const options = { ...endpointOf(call), since: instant };
    const outcome = await recoverEndpoint(call.deps, options, call.actor);
    return outcome.kind === 'opened' ? done({ opened: outcome.count }) : webhookRejection(outcome);
  },
});

const DAY_MS = 86_400_000;

export const group: RouteGroup = {
  name: 'webhooks',
  describe: 'Webhook endpoints of the account.',
  routes: [listRoute, createRoute, readRoute, changeRoute, deleteRoute, testRoute, recoverRoute],
};

function endpointOf(call: Call): { customerId: string; endpointId: string } {
  return { customerId: call.customerId, endpointId: call.param('endpointId') };
}
