import { Type } from 'typebox';
import { findEndpoint } from '../../../webhooks/endpoint/webhook-endpoint.ts';
import {
  subscribe,
  SYMBOLS_MAX,
  unsubscribe,
} from '../../../webhooks/subscription/subscription-actions.ts';
import { listSubscriptions } from '../../../webhooks/subscription/subscription-list.ts';
import { instant, integer, list, named, nullable, text } from '../../../endpoints/schema/fields.ts';
import { formatInstant } from '../../../platform/instant.ts';
import { formatOptional } from '../instants.ts';
import { rejectNotFound, webhookRejection } from '../refusals.ts';
import { type Call, defineRoute, done, type RouteGroup } from '../route.ts';

const PATH = '/account/v1/webhooks/{endpointId}/subscriptions';

const subscriptionSchema = named('WebhookSubscription', {
  templateId: text('Template of the payload.'),
  symbol: text(
    'Ticker symbol, or a company set: `*`, `@name`, `exchange:nyse`, `sector:technology`.',
  ),
  createdAt: instant('Time of creation.'),
  answeredAt: nullable(
    instant('Time a delivery about the symbol last got a 2xx response. Null for a set.'),
  ),
});

const templateSchema = named('WebhookTemplate', {
  templateId: text('As in `template_id`.'),
  eventType: text('As in `event_type`.'),
  describe: text('When it fires.'),
  fields: list(text('Name of a field.'), 'Members of `data`, in their order.'),
});

const symbolsBody = Type.Object({
  templateId: Type.String({
    maxLength: 100,
    description: 'Template ID, such as `earnings_schedule`.',
  }),
  symbols: Type.Union([Type.String(), Type.Array(Type.String())], {
    description:
      'Ticker symbols: an array, or text with symbols separated by commas, spaces or line breaks. ' +
      'A company set in place of a symbol: `*` for all companies, `@name` for a watchlist, ' +
      '`exchange:nyse` for an exchange, `sector:technology` for a sector.',
  }),
});

const subscribeBody = Type.Object({
  ...symbolsBody.properties,
  preview: Type.Optional(Type.Boolean({ description: 'Returns the result without subscribing.' })),
});

const templatesRoute = defineRoute({
  name: 'webhook-templates-list',
  method: 'GET',
  path: '/account/v1/webhook-templates',
  summary: 'List webhook templates',
  access: 'webhooks.read',
  status: 200,
  response: list(templateSchema, 'Ordered by ID.'),
  handle({ deps }) {
    const templates = deps.webhooks.templates.map(
      ({ templateId, eventType, describe, fields }) => ({
        templateId,
        eventType,
        describe,
        fields,
      }),
    );
    return Promise.resolve(done(templates));
  },
});

const listRoute = defineRoute({
  name: 'webhook-subscriptions-list',
  method: 'GET',
  path: PATH,
  summary: "List an endpoint's subscriptions",
  describe: 'An endpoint without subscriptions receives no deliveries.',
  access: 'webhooks.read',
  query: Type.Object({
    after: Type.Optional(
      Type.String({
        maxLength: 130,
        description: 'The `next` value of the previous page.',
        pattern: '^\\w+:.+$',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1e3,
        description: 'Page size; 100 by default.',
      }),
    ),
  }),
  status: 200,
  response: named('SubscriptionPage', {
    subscriptions: list(subscriptionSchema, 'Ordered by template and symbol.'),
    next: nullable(text('Pass as `after` to get the next page; null on the last page.')),
  }),
  async handle(call) {
    const { deps, query } = call;
    const endpoint = await findEndpoint(deps.db, endpointOf(call));
    if (endpoint === null) return rejectNotFound();
    const { limit = 100 } = query;
    const { after = '' } = query;
    const colon = after.indexOf(':');
    const rows = await listSubscriptions(deps.db, {
      endpointId: endpoint.id,
      limit: limit + 1,
      // A company set, such as `exchange:nyse`, also contains a colon.
      after: { templateId: after.slice(0, Math.max(colon, 0)), symbol: after.slice(colon + 1) },
    });
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return done({
      subscriptions: page.map((subscription) => ({
        templateId: subscription.templateId,
        symbol: subscription.symbol,
        createdAt: formatInstant(subscription.createdAt),
        answeredAt: formatOptional(subscription.answeredAt),
      })),
      next: last === undefined ? null : `${last.templateId}:${last.position}`,
    });
  },
});

const addRoute = defineRoute({
  name: 'webhook-subscriptions-add',
  method: 'POST',
  path: PATH,
  summary: 'Subscribe an endpoint to symbols',
  describe:
    'Subscribing sends nothing: later deliveries report changes from the current data. An ' +
    `endpoint can have at most ${SYMBOLS_MAX} symbols. A company set counts as one, and ` +
    'includes companies that join it later.',
  access: 'webhooks.change',
  body: subscribeBody,
  status: 200,
  response: named('SubscribeResult', {
    added: integer('Number of new subscriptions.'),
    standing: integer('Number of symbols that were already subscribed.'),
    unknown: list(text('Symbol.'), 'Subscribed symbols that no company has yet.'),
    repeated: list(text('Symbol.'), 'Symbols that were listed more than once.'),
    refused: list(text('Word.'), 'Words that are not valid symbols.'),
  }),
  async handle(call) {
    const { deps, body, actor } = call;
    const { preview: isPreview = false, ...symbols } = body;
    const outcome = await subscribe(deps, { ...endpointOf(call), ...symbols, isPreview }, actor);
    if (outcome.kind !== 'subscribed') return webhookRejection(outcome);
    const { added, standing, unknown, repeated, refused } = outcome;
    return done({ added, standing, unknown, repeated, refused });
  },
});

const removeRoute = defineRoute({
  name: 'webhook-subscriptions-remove',
  method: 'POST',
  path: `${PATH}/remove`,
  summary: 'Unsubscribe an endpoint from symbols',
  describe:
    'Pending deliveries about these symbols are cancelled, unless another set covers the company.',
  access: 'webhooks.change',
  body: symbolsBody,
  status: 200,
  response: named('UnsubscribeResult', {
    removed: integer('Number of removed subscriptions.'),
    refused: list(text('Word.'), 'Words that are not valid symbols.'),
  }),
  async handle(call) {
    const { deps, body, actor } = call;
    const outcome = await unsubscribe(deps, { ...endpointOf(call), ...body }, actor);
    if (outcome.kind !== 'unsubscribed') return webhookRejection(outcome);
    return done({ removed: outcome.removed, refused: outcome.refused });
  },
});

export const group: RouteGroup = {
  name: 'webhook-subscriptions',
  describe: 'Templates and symbols an endpoint is subscribed to.',
  routes: [templatesRoute, listRoute, addRoute, removeRoute],
};

function endpointOf(call: Call): { customerId: string; endpointId: string } {
  return { customerId: call.customerId, endpointId: call.param('endpointId') };
}
