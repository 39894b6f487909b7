import { Type } from 'typebox';
import { wasKeyOf } from '../../../accounts/keys/key-store.ts';
import { instant, integer, list, named, nullable, text } from '../../../endpoints/schema/fields.ts';
import { loadTopCustomers } from '../../../metering/top-customers.ts';
import { formatInstant } from '../../../platform/instant.ts';
import { readSpan } from '../instants.ts';
import { refusedNotFound } from '../refusals.ts';
import { defineRoute, done, type RouteGroup } from '../route.ts';
import { usageAnswer, type UsageAsked, usageQuery, usageSchema } from '../usage-view.ts';

const ofAccount = defineRoute({
  name: 'usage-read',
  method: 'GET',
  path: '/account/v1/usage',
  summary: 'Requests of the account by hour or New York day',
  access: 'usage.read',
  query: Type.Object({
    ...usageQuery,
    keyId: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Requests with this key, deleted or not.',
      }),
    ),
  }),
  status: 200,
  response: usageSchema,
  alsoAs: 'text/csv',
  async handle({ deps, customerId, query, now }) {
    const { keyId } = query;
    if (
      keyId !== undefined &&
      !(await wasKeyOf(deps.db, {
        customerId,
        keyId,
      }))
    ) {
      return refusedNotFound();
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
  summary: 'Requests of all customers by hour or New York day',
  access: 'system.read',
  query: Type.Object(usageQuery),
  status: 200,
  response: usageSchema,
  alsoAs: 'text/csv',
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
  summary: 'Who asked the most',
  access: 'system.read',
  query: Type.Object({
    from: usageQuery.from,
    to: usageQuery.to,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 500,
        description: 'How many; 20 unless given.',
      }),
    ),
  }),
  status: 200,
  response: named('TopCustomers', {
    from: instant('Counted from this hour on.'),
    to: instant('Without this hour.'),
    customers: list(
      named('CustomerUsage', {
        customerId: text('Id, `cus_…`.'),
        name: nullable(text('Name.')),
        requests: integer('Requests.'),
        failed: integer('Those answered with 4xx or 5xx.'),
      }),
      'The busiest first.',
    ),
  }),
  async handle({ deps, query, now }) {
    const span = readSpan(query, {
      now,
      daysUsual: 30,
      daysMax: 400,
    });
    if ('refused' in span) return span.refused;
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
  describe: 'How much was asked. Counts arrive within a second of the answer; quotas are exact.',
  routes: [ofAccount, ofService, topRoute],
};
