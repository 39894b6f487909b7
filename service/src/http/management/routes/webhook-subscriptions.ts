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
import { shown } from '../instants.ts';
import { refusedNotFound } from '../refusals.ts';
import { type Call, defineRoute, done, type RouteGroup } from '../route.ts';
import { webhookRefusal } from '../webhook-refusals.ts';

const PATH = '/account/v1/webhooks/{endpointId}/subscriptions';

const subscription = named('WebhookSubscription', {
  templateId: text('Of what it is told.'),
  symbol: text('Of which company.'),
  createdAt: instant('Since when.'),
  answeredAt: nullable(instant('When news of it were answered 2xx last.')),
});

const template = named('WebhookTemplate', {
  templateId: text('As in `template_id`.'),
  eventType: text('As in `event_type`.'),
  describe: text('When it fires.'),
  fields: list(text('Name of a field.'), 'Members of `data`, in their order.'),
});

const givenSymbols = Type.Object({
  templateId: Type.String({ maxLength: 100, description: 'Such as `earnings_schedule`.' }),
  symbols: Type.Union([Type.String(), Type.Array(Type.String())], {
    description:
      'Ticker symbols: a list, or text as it was pasted, with commas, blanks or lines between them.',
  }),
});

const subscribedSymbols = Type.Object({
  ...givenSymbols.properties,
  preview: Type.Optional(
    Type.Boolean({ description: 'Says what it would do, and subscribes to nothing.' }),
  ),
});

const templatesRoute = defineRoute({
  name: 'webhook-templates-list',
  method: 'GET',
  path: '/account/v1/webhook-templates',
  summary: 'What can be subscribed to',
  access: 'webhooks.read',
  status: 200,
  response: list(template, 'By id.'),
  handle({ deps }) {
    const shownOnes = deps.webhooks.templates.map(
      ({ templateId, eventType, describe, fields }) => ({
        templateId,
        eventType,
        describe,
        fields,
      }),
    );
    return Promise.resolve(done(shownOnes));
  },
});

const listRoute = defineRoute({
  name: 'webhook-subscriptions-list',
  method: 'GET',
  path: PATH,
  summary: 'Of what an endpoint is told',
  describe: 'By template and symbol. An empty list means that nothing is sent there.',
  access: 'webhooks.read',
  query: Type.Object({
    after: Type.Optional(
      Type.String({
        maxLength: 130,
        description: 'The `next` of a page.',
        pattern: '^\\w+:.+$',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1e3,
        description: 'Of a page; 100 unless given.',
      }),
    ),
  }),
  status: 200,
  response: named('SubscriptionPage', {
    subscriptions: list(subscription, 'By template and symbol.'),
    next: nullable(text('Give it as `after` for the next page; null: no more.')),
  }),
  async handle(call) {
    const { deps, query } = call;
    const endpoint = await findEndpoint(deps.db, endpointOf(call));
    if (endpoint === null) return refusedNotFound();
    const { limit = 100 } = query;
    const [templateId = '', symbol = ''] = query.after?.split(':') ?? [];
    const found = await listSubscriptions(deps.db, {
      endpointId: endpoint.id,
      limit: limit + 1,
      after: {
        templateId,
        symbol,
      },
    });
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return done({
      subscriptions: page.map((one) => ({
        templateId: one.templateId,
        symbol: one.symbol,
        createdAt: formatInstant(one.createdAt),
        answeredAt: shown(one.answeredAt),
      })),
      next: last === undefined ? null : `${last.templateId}:${last.symbol}`,
    });
  },
});

const addRoute = defineRoute({
  name: 'webhook-subscriptions-add',
  method: 'POST',
  path: PATH,
  summary: 'Subscribe an endpoint to companies',
  describe:
    'Nothing is sent by it: what is sent later is what differs from the data of this moment. An ' +
    `endpoint is told of at most ${SYMBOLS_MAX} symbols.`,
  access: 'webhooks.change',
  body: subscribedSymbols,
  status: 200,
  response: named('SubscribeResult', {
    added: integer('New ones.'),
    standing: integer('Those that were subscribed before.'),
    unknown: list(text('Symbol.'), 'Subscribed, though no company of that symbol is known yet.'),
    repeated: list(text('Symbol.'), 'Given more than once, and taken once.'),
    refused: list(text('Word.'), 'What can be no symbol.'),
  }),
  async handle(call) {
    const { deps, body, by } = call;
    const { preview: isPreview = false, ...given } = body;
    const outcome = await subscribe(
      deps,
      {
        ...endpointOf(call),
        ...given,
        isPreview,
      },
      by,
    );
    if (outcome.kind !== 'subscribed') return webhookRefusal(outcome);
    const { added, standing, unknown, repeated, refused } = outcome;
    return done({
      added,
      standing,
      unknown,
      repeated,
      refused,
    });
  },
});

const removeRoute = defineRoute({
  name: 'webhook-subscriptions-remove',
  method: 'POST',
  path: `${PATH}/remove`,
  summary: 'End subscriptions of an endpoint',
  describe: 'What waits of them is not sent any more.',
  access: 'webhooks.change',
  body: givenSymbols,
  status: 200,
  response: named('UnsubscribeResult', {
    removed: integer('Those that were subscribed.'),
    refused: list(text('Word.'), 'What can be no symbol.'),
  }),
  async handle(call) {
    const { deps, body, by } = call;
    const outcome = await unsubscribe(
      deps,
      {
        ...endpointOf(call),
        ...body,
      },
      by,
    );
    if (outcome.kind !== 'unsubscribed') return webhookRefusal(outcome);
    return done({
      removed: outcome.removed,
      refused: outcome.refused,
    });
  },
});

export const group: RouteGroup = {
  name: 'webhook-subscriptions',
  describe: 'Of which companies, and of what about them, an endpoint is told.',
  routes: [templatesRoute, listRoute, addRoute, removeRoute],
};

function endpointOf(call: Call): { customerId: string; endpointId: string } {
  return { customerId: call.customerId, endpointId: call.param('endpointId') };
}
