import { Type } from 'typebox';
import {
  type AttemptSlice,
  loadAttemptSlices,
  loadSystemSlices,
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
import { readSpan, shown } from '../instants.ts';
import { refusedNotFound } from '../refusals.ts';
import { defineRoute, done, type RouteGroup } from '../route.ts';

const STEPS = ['hour', 'day'] as const;
/** Spans are bounded so that an answer has some thousand slices at most. */
const SPANS = {
  hour: { daysUsual: 1, daysMax: 7 },
  day: { daysUsual: 30, daysMax: 90 },
} as const;

const counts = {
  delivered: integer('Attempts answered 2xx.'),
  failed: integer('Attempts that were not, or were cut off.'),
};

const errorsField = Type.Record(Type.String(), Type.Integer(), {
  description: 'The failed ones by why: `http_5xx`, `timeout`, `unknown` and so on.',
});

const spanFields = {
  from: Type.Optional(
    Type.String({ maxLength: 40, description: 'From this instant on; a day or 30 days ago.' }),
  ),
  to: Type.Optional(Type.String({ maxLength: 40, description: 'Before this instant; now.' })),
  by: Type.Optional(choice(STEPS, 'Hours of UTC, which is usual, or New York days.')),
};

const slice = named('AttemptSlice', {
  at: instant('When the hour or day begins.'),
  ...counts,
  errors: errorsField,
  p50Ms: nullable(number('Half of the attempts took so long at most, in milliseconds.')),
  p95Ms: nullable(number('Of a hundred, 95 took so long at most, in milliseconds.')),
});

const readRoute = defineRoute({
  name: 'delivery-stats-read',
  method: 'GET',
  path: '/account/v1/delivery-figures',
  summary: 'How attempts fared, by endpoint and hour or New York day',
  describe: 'Attempts are kept for some time, thirty days usually: before that there are none.',
  access: 'webhooks.read',
  query: Type.Object({
    endpointId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Of this endpoint alone.',
      }),
    ),
    ...spanFields,
  }),
  status: 200,
  response: named('DeliveryStats', {
    from: instant('Attempts begun from this instant on.'),
    to: instant('Without this instant.'),
    by: choice(STEPS, 'As asked.'),
    endpoints: list(
      named('EndpointDeliveryStats', {
        endpointId: text('Id, `whe_…`.'),
        ...counts,
        successRate: nullable(number('Share of attempts answered 2xx, 0 to 1; null: none.')),
        lastDeliveryAt: nullable(instant('When its newest delivery was opened.')),
        slices: list(slice, 'By time. Those without attempts are left out.'),
      }),
      'Every endpoint, the oldest first.',
    ),
  }),
  async handle({ deps, customerId, query, now }) {
    const { endpointId, by = 'hour' } = query as {
      endpointId?: string;
      by?: 'hour' | 'day';
    };
    const span = readSpan(query, {
      now,
      ...SPANS[by],
    });
    if ('refused' in span) return span.refused;
    const all = (await listEndpoints(deps.db, customerId)).map(({ id }) => id);
    const endpointIds = endpointId === undefined ? all : all.filter((id) => id === endpointId);
    if (endpointId !== undefined && endpointIds.length === 0) return refusedNotFound();
    const slices = await loadAttemptSlices(deps.db, {
      endpointIds,
      ...span,
      by,
    });
    const recent = await loadRecentDeliveries(deps.db, endpointIds);
    const endpoints = endpointIds.map((id) => ({
      endpointId: id,
      lastDeliveryAt: shown(recent.get(id)?.lastDeliveryAt ?? null),
      ...figuresOf(slices.filter((each) => each.endpointId === id)),
    }));
    return done({
      from: formatInstant(span.from),
      to: formatInstant(span.to),
      by,
      endpoints,
    });
  },
});

function figuresOf(slices: readonly AttemptSlice[]): object {
  const delivered = slices.reduce((sum, each) => sum + each.delivered, 0);
  const failed = slices.reduce((sum, each) => sum + each.failed, 0);
  const all = delivered + failed;
  return {
    delivered,
    failed,
    successRate: all === 0 ? null : delivered / all,
    slices: slices.map(({ at, errors, p50Ms, p95Ms, ...each }) => ({
      at: formatInstant(at),
      delivered: each.delivered,
      failed: each.failed,
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
  summary: 'How attempts of all customers fared, by hour or New York day',
  access: 'system.read',
  query: Type.Object(spanFields),
  status: 200,
  response: named('SystemDeliveryStats', {
    from: instant('Attempts begun from this instant on.'),
    to: instant('Without this instant.'),
    by: choice(STEPS, 'As asked.'),
    ...counts,
    slices: list(
      named('SystemAttemptSlice', {
        at: instant('When the hour or day begins.'),
        ...counts,
        errors: errorsField,
      }),
      'By time. Those without attempts are left out.',
    ),
  }),
  async handle({ deps, query, now }) {
    const { by = 'hour' } = query as {
      by?: 'hour' | 'day';
    };
    const span = readSpan(query, {
      now,
      ...SPANS[by],
    });
    if ('refused' in span) return span.refused;
    const slices = await loadSystemSlices(deps.db, {
      ...span,
      by,
    });
    const shownSpan = {
      from: formatInstant(span.from),
      to: formatInstant(span.to),
      by,
    };
    return done({
      ...shownSpan,
      delivered: slices.reduce((sum, each) => sum + each.delivered, 0),
      failed: slices.reduce((sum, each) => sum + each.failed, 0),
      slices: slices.map(({ at, ...rest }) => ({
        at: formatInstant(at),
        ...rest,
      })),
    });
  },
});

export const group: RouteGroup = {
  name: 'delivery-figures',
  describe: 'How webhook endpoints fare over time.',
  routes: [readRoute, systemRoute],
};
