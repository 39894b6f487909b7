import { Type } from 'typebox';
import {
  type AttemptSlice,
  loadDeliveryStats,
  loadSystemDeliveryStats,
} from '../../../webhooks/stats/delivery-stats.ts';
import {
  listEndpoints,
  loadRecentDeliveries,
} from '../../../webhooks/endpoint/webhook-endpoint.ts';
import {
  choice,
  instant,
  integer,
  list,
  named,
  nullable,
  number,
  text,
} from '../../../endpoints/schema/fields.ts';
import { formatInstant } from '../../../platform/instant.ts';
import { readRange, formatOptional } from '../instants.ts';
import { rejectNotFound } from '../refusals.ts';
import { defineRoute, done, type RouteGroup } from '../route.ts';
import { instantText } from '../described-text.ts';

const STEPS = ['hour', 'day'] as const;
/** Ranges are limited so that a response has at most a few thousand time slices. */
const RANGES = {
  hour: { daysDefault: 1, daysMax: 7 },
  day: { daysDefault: 30, daysMax: 90 },
} as const;

const countFields = {
  delivered: integer('Attempts that got a 2xx response.'),
  failed: integer('Attempts that failed or were interrupted.'),
};

const errorsField = Type.Record(Type.String(), Type.Integer(), {
  description: 'Failed attempts by failure code, such as `http_5xx`, `timeout` or `unknown`.',
});

const rangeFields = {
  from: Type.Optional(
    instantText(
      'Start of the range, inclusive; by default 1 day ago for hours, 30 days ago for days.',
    ),
  ),
  to: Type.Optional(instantText('End of the range, exclusive; now by default.')),
  by: Type.Optional(choice(STEPS, 'Slice size: UTC hours (default) or New York days.')),
};

const sliceSchema = named('AttemptSlice', {
  at: instant('Start of the hour or day.'),
  ...countFields,
  errors: errorsField,
  p50Ms: nullable(number('Median duration of attempts, in milliseconds.')),
  p95Ms: nullable(number('95th percentile of attempt durations, in milliseconds.')),
});

const readRoute = defineRoute({
  name: 'delivery-stats-read',
  method: 'GET',
  path: '/account/v1/delivery-figures',
  summary: 'Retrieve delivery statistics',
  describe:
    'Attempt counts and durations by endpoint and hour or day. Attempts are kept for 30 days by ' +
    'default; older periods are empty.',
  access: 'webhooks.read',
  query: Type.Object({
    endpointId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Only this endpoint.' }),
    ),
    ...rangeFields,
  }),
  status: 200,
  response: named('DeliveryStats', {
    from: instant('Start of the range, inclusive.'),
    to: instant('End of the range, exclusive.'),
    by: choice(STEPS, 'Slice size.'),
    endpoints: list(
      named('EndpointDeliveryStats', {
        endpointId: text('Endpoint ID, `whe_…`.'),
        ...countFields,
        successRate: nullable(
          number('Share of attempts that got a 2xx response, 0 to 1; null without attempts.'),
        ),
        lastDeliveryAt: nullable(instant('Time the latest delivery was created.')),
        slices: list(
          sliceSchema,
          'Slices in chronological order. Slices without attempts are omitted.',
        ),
      }),
      'Endpoints, oldest first.',
    ),
  }),
  async handle({ deps, customerId, query, now }) {
    const { endpointId, by = 'hour' } = query as {
      endpointId?: string;
      by?: 'hour' | 'day';
    };
    const range = readRange(query, { now, ...RANGES[by] });
    if ('rejected' in range) return range.rejected;
    const ids = (await listEndpoints(deps.db, customerId)).map(({ id }) => id);
    const endpointIds = endpointId === undefined ? ids : ids.filter((id) => id === endpointId);
    if (endpointId !== undefined && endpointIds.length === 0) return rejectNotFound();
    const slices = await loadDeliveryStats(deps.db, { endpointIds, ...range, by });
    const recent = await loadRecentDeliveries(deps.db, endpointIds);
    const endpoints = endpointIds.map((id) => ({
      endpointId: id,
      lastDeliveryAt: formatOptional(recent.get(id)?.lastDeliveryAt ?? null),
      ...summarize(slices.filter((slice) => slice.endpointId === id)),
    }));
    return done({ from: formatInstant(range.from), to: formatInstant(range.to), by, endpoints });
  },
});

function summarize(slices: readonly AttemptSlice[]): object {
  const delivered = slices.reduce((sum, slice) => sum + slice.delivered, 0);
  const failed = slices.reduce((sum, slice) => sum + slice.failed, 0);
  const total = delivered + failed;
  return {
    delivered,
    failed,
    successRate: total === 0 ? null : delivered / total,
    slices: slices.map(({ at, errors, p50Ms, p95Ms, ...counts }) => ({
      at: formatInstant(at),
      delivered: counts.delivered,
      failed: counts.failed,
      errors,
      p50Ms,
      p95Ms,
    })),
  };
}

const systemRoute = defineRoute({
  name: 'system-delivery-stats-read',
  method: 'GET',
  path: '/operator/v1/delivery-figures',
  summary: 'Retrieve delivery statistics for all customers',
  access: 'system.read',
  query: Type.Object(rangeFields),
  status: 200,
  response: named('SystemDeliveryStats', {
    from: instant('Start of the range, inclusive.'),
    to: instant('End of the range, exclusive.'),
    by: choice(STEPS, 'Slice size.'),
    ...countFields,
    slices: list(
      named('SystemAttemptSlice', {
        at: instant('Start of the hour or day.'),
        ...countFields,
        errors: errorsField,
      }),
      'Slices in chronological order. Slices without attempts are omitted.',
    ),
  }),
  async handle({ deps, query, now }) {
    const { by = 'hour' } = query as {
      by?: 'hour' | 'day';
    };
    const range = readRange(query, { now, ...RANGES[by] });
    if ('rejected' in range) return range.rejected;
    const slices = await loadSystemDeliveryStats(deps.db, { ...range, by });
    const formattedRange = { from: formatInstant(range.from), to: formatInstant(range.to), by };
    return done({
      ...formattedRange,
      delivered: slices.reduce((sum, slice) => sum + slice.delivered, 0),
      failed: slices.reduce((sum, slice) => sum + slice.failed, 0),
      slices: slices.map(({ at, ...rest }) => ({ at: formatInstant(at), ...rest })),
    });
  },
});

export const group: RouteGroup = {
  name: 'delivery-figures',
  describe: 'Success rates and durations of webhook deliveries over time.',
  routes: [readRoute, systemRoute],
};
