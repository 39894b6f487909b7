import { Type } from 'typebox';
import { belongedToCustomer } from '../../../accounts/keys/key-store.ts';
import {
  choice,
  instant,
  integer,
  list,
  named,
  nullable,
  text,
} from '../../../endpoints/schema/fields.ts';
import {
  loadTopCustomers,
  loadUsage,
  type UsageQuery as UsageFilter,
} from '../../../metering/usage-store.ts';
import { formatInstant, type Instant } from '../../../platform/instant.ts';
import type { Queryable } from '../../../storage/db.ts';
import { renderCsv } from '../../response/csv.ts';
import { readRange } from '../instants.ts';
import { rejectNotFound } from '../refusals.ts';
import { type CallResult, defineRoute, done, type RouteGroup } from '../route.ts';
import { instantText } from '../described-text.ts';

const STEPS = ['hour', 'day'] as const;
const SPLITS = ['none', 'endpoint', 'status', 'status-class', 'key'] as const;

const usageQuery = {
  from: Type.Optional(
    instantText(
      'Start of the range, inclusive; by default 7 days ago for hours, 30 days ago for days.',
    ),
  ),
  to: Type.Optional(instantText('End of the range, exclusive; now by default.')),
  by: Type.Optional(choice(STEPS, 'Slice size: UTC hours or New York days (default).')),
  split: Type.Optional(choice(SPLITS, 'Dimension each slice is split by; none by default.')),
  endpoint: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Only requests to this endpoint.' }),
  ),
  format: Type.Optional(choice(['json', 'csv'], 'Response format; `csv` is a table of `rows`.')),
};

const usageSchema = named('Usage', {
  from: instant('Start of the range, inclusive.'),
  to: instant('End of the range, exclusive.'),
  by: choice(STEPS, 'Slice size.'),
  split: choice(SPLITS, 'Dimension of the split.'),
  rows: list(
    named('UsageRow', {
      at: instant('Start of the hour or day.'),
      name: text(
        'Value of the split: an endpoint, a status, a class such as `4xx`, or a key ID; empty ' +
          'without a split.',
      ),
      requests: integer('Number of requests.'),
    }),
    'Ordered by time, then name. Slices without requests are omitted.',
  ),
});

const usageRoute = defineRoute({
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
  async handle({ deps, customerId, query, now }) {
    const { keyId } = query;
    if (keyId !== undefined && !(await belongedToCustomer(deps.db, { customerId, keyId }))) {
      return rejectNotFound();
    }
    return usageResult(deps.db, query as UsageQuery, { customerId, now });
  },
});

const systemUsageRoute = defineRoute({
  name: 'system-usage-read',
  method: 'GET',
  path: '/operator/v1/usage',
  summary: 'Retrieve usage for all customers',
  access: 'system.read',
  query: Type.Object(usageQuery),
  status: 200,
  response: usageSchema,
  async handle({ deps, query, now }) {
    return usageResult(deps.db, query as UsageQuery, { customerId: null, now });
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
    const range = readRange(query, { now, daysDefault: 30, daysMax: 400 });
    if ('rejected' in range) return range.rejected;
    const { limit = 20 } = query;
    const customers = await loadTopCustomers(deps.db, { ...range, limit });
    const formattedRange = { from: formatInstant(range.from), to: formatInstant(range.to) };
    return done({ ...formattedRange, customers });
  },
});

export const group: RouteGroup = {
  name: 'usage',
  describe:
    'Request counts by hour or day. Counts appear within a second of the response; quotas are ' +
    'exact.',
  routes: [usageRoute, systemUsageRoute, topRoute],
};

/** A validated query. */
interface UsageQuery {
  from?: string;
  to?: string;
  by?: UsageFilter['interval'];
  split?: UsageFilter['split'];
  keyId?: string;
  endpoint?: string;
  format?: 'json' | 'csv';
}

/** Ranges are limited so that a response has at most a few thousand rows. */
const RANGES = {
  hour: { daysDefault: 7, daysMax: 62 },
  day: { daysDefault: 30, daysMax: 400 },
} as const;

async function usageResult(
  db: Queryable,
  query: UsageQuery,
  { customerId, now }: { customerId: string | null; now: Instant },
): Promise<CallResult> {
  const { by = 'day', split = 'none', keyId, endpoint, format } = query;
  const range = readRange(query, { now, ...RANGES[by] });
  if ('rejected' in range) return range.rejected;
  const slices = await loadUsage(db, {
    customerId,
    ...range,
    interval: by,
    split,
    keyId,
    endpoint,
  });
  const rows = slices.map((slice) => ({ ...slice, at: formatInstant(slice.at) }));
  if (format === 'csv') {
    const shape = {
      buckets: null,
      inner: null,
      optionalColumns: [],
      columns: ['at', 'name', 'requests'],
    };
    const text = renderCsv(shape, rows);
    return { kind: 'text', mediaType: 'text/csv; charset=utf-8', text, fileName: 'usage.csv' };
  }
  return done({ from: formatInstant(range.from), to: formatInstant(range.to), by, split, rows });
}
