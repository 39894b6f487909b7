import { Type } from 'typebox';
import { wasKeyOf } from '../../../accounts/keys/key-store.ts';
import { instant, integer, list, named, nullable, text } from '../../../endpoints/schema/fields.ts';
import { loadTopCustomers } from '../../../metering/usage-store.ts';
import { formatInstant } from '../../../platform/instant.ts';
import { readRange } from '../instants.ts';
import { rejectNotFound } from '../refusals.ts';
import { defineRoute, done, type RouteGroup } from '../route.ts';
import { usageAnswer, type UsageAsked, usageQuery, usageSchema } from '../usage-view.ts';

const ofAccount = defineRoute({
  name: 'usage-read',
  method: 'GET',
  path: '/account/v1/usage',
  summary: 'Retrieve usage',
  access: 'usage.read',
  query: Type.Object({
    ...usageQuery,
    keyId: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Only requests with this key, which may be deleted.',
      }),
    ),
  }),
  status: 200,
  response: usageSchema,
  alternateMediaType: 'text/csv',
  async handle({ deps, customerId, query, now }) {
    const { keyId } = query;
    if (
      keyId !== undefined &&
      !(await wasKeyOf(deps.db, {
        customerId,
        keyId,
      }))
    ) {
      return rejectNotFound();
    }
    return usageAnswer(deps.db, query as UsageAsked, {
      customerId,
      now,
    });
  },
});

const ofService = defineRoute({
  name: 'system-usage-read',
  method: 'GET',
  path: '/operator/v1/usage',
  summary: 'Retrieve usage of all customers',
  access: 'system.read',
  query: Type.Object(usageQuery),
  status: 200,
  response: usageSchema,
  alternateMediaType: 'text/csv',
  async handle({ deps, query, now }) {
    return usageAnswer(deps.db, query as UsageAsked, {
      customerId: null,
      now,
    });
  },
});

const topRoute = defineRoute({
  name: 'system-usage-top-customers',
  method: 'GET',
  path: '/operator/v1/usage/customers',
  summary: 'List top customers by usage',
  access: 'system.read',
  query: Type.Object({
    from: usageQuery.from,
    to: usageQuery.to,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 500,
        description: 'Number of customers; 20 by default.',
      }),
    ),
  }),
  status: 200,
  response: named('TopCustomers', {
    from: instant('Start of the range, inclusive, by the hour.'),
    to: instant('End of the range, exclusive, by the hour.'),
    customers: list(
      named('CustomerUsage', {
        customerId: text('Customer ID, `cus_…`.'),
        name: nullable(text('Customer name.')),
        requests: integer('Number of requests.'),
        failed: integer('Requests that got a 4xx or 5xx response.'),
      }),
      'Most requests first.',
    ),
  }),
  async handle({ deps, query, now }) {
    const span = readRange(query, {
      now,
      daysDefault: 30,
      daysMax: 400,
    });
    if ('rejected' in span) return span.rejected;
    const { limit = 20 } = query;
    const customers = await loadTopCustomers(deps.db, {
      ...span,
      limit,
    });
    const shownSpan = {
      from: formatInstant(span.from),
      to: formatInstant(span.to),
    };
    return done({
      ...shownSpan,
      customers,
    });
  },
});

export const group: RouteGroup = {
  name: 'usage',
  describe:
    'Request counts by hour or day. Counts appear within a second of the response; quotas are exact.',
  routes: [ofAccount, ofService, topRoute],
};
