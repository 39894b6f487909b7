import { Type } from 'typebox';
import { topics } from '../../src/datasets/topics.gen.ts';
import type { Endpoint, EndpointResponse } from '../../src/endpoints/endpoint.ts';
import * as fields from '../../src/endpoints/schema/fields.ts';
import type { Instant } from '../../src/platform/instant.ts';

/** Stub endpoints whose responses are built from a map instead of a store. */

export interface StubWorld {
  endpoints: readonly Endpoint[];
  /** The calendar stub's names by day. Tests may change them. */
  names: Map<string, string[]>;
  /** Returns the number of computed responses. */
  computed(): number;
  /** If set, every response waits for this promise. */
  gate: { wait: Promise<void> | null };
  /** If set, every response fails with this error. */
  fault: { error: Error | null };
}

const STUB_AS_OF: Instant = Date.UTC(2026, 10, 20, 15, 4, 5);
const knownGaps = [
  { data: 'consensus', before: STUB_AS_OF },
  { data: 'dividends', before: null },
];
const RENAMED = { oldSymbol: 'GONE', successor: 'HERE' };

export function stubWorld(): StubWorld {
  let computed = 0;
  const world: StubWorld = {
    names: new Map([['2026-11-20', ['Bright Harbor Foods', 'Quiet Pine Energy']]]),
    gate: { wait: null },
    fault: { error: null },
    computed: () => computed,
    endpoints: [],
  };

  async function respond(make: () => EndpointResponse): Promise<EndpointResponse> {
    computed += 1;
    const response = make();
    if (world.gate.wait !== null) await world.gate.wait;
    if (world.fault.error !== null) throw world.fault.error;
    return response;
  }

  world.endpoints = [
    calendarEndpoint(respond, world),
    profileEndpoint(respond),
    rowsEndpoint(respond),
    statusEndpoint(respond, world),
  ];
  return world;
}

type Respond = (make: () => EndpointResponse) => Promise<EndpointResponse>;

function calendarEndpoint(respond: Respond, world: StubWorld): Endpoint {
  return {
    ...COMMON,
    name: 'calendar-stub',
    path: '/v1/calendar/stub',
    summary: 'Names by day',
    tag: 'calendars',
    historicalAccess: true,
    parameters: [
      { name: 'date', in: 'query', required: true, describe: 'The day.', kind: 'date' },
      {
        name: 'loud',
        in: 'query',
        required: false,
        describe: 'Upper case.',
        kind: 'boolean',
        default: false,
      },
      {
        name: 'order',
        in: 'query',
        required: false,
        describe: 'Order of names.',
        kind: 'enum',
        values: ['up', 'down'],
      },
    ],
    response: fields.named('StubDay', {
      date: fields.date('The day.'),
      names: fields.list(Type.String(), 'Companies that report.'),
    }),
    example: { date: '2026-11-20', names: ['Bright Harbor Foods'] },
    firstDay: (values) => values.date('date'),
    topics: (values) => [topics.economicEvents.date(values.date('date'))],
    maxAgeSeconds: () => 60,
    handle: (values) =>
      respond(() => {
        const names = [...(world.names.get(values.date('date')) ?? [])];
        const visible = values.flag('loud') ? names.map((name) => name.toUpperCase()) : names;
        if (values.choice('order') === 'down') visible.reverse();
        return {
          kind: 'body',
          body: { date: values.date('date'), names: visible },
          asOf: STUB_AS_OF,
        };
      }),
  };
}

function profileEndpoint(respond: Respond): Endpoint {
  return {
    ...COMMON,
    name: 'profile-stub',
    path: '/v1/profile-stub/{symbol}',
    summary: 'A company',
    tag: 'companies',
    historicalAccess: false,
    parameters: [
      { name: 'symbol', in: 'path', required: true, describe: 'Ticker.', kind: 'symbol' },
    ],
    response: fields.named('StubProfile', { symbol: fields.symbol() }),
    example: { symbol: 'BRTH' },
    topics: (values) => [topics.profiles.symbol(values.symbol('symbol'))],
    maxAgeSeconds: () => 3600,
    handle: (values) =>
      respond(() => {
        const symbol = values.symbol('symbol');
        if (symbol === 'EARLY') return { kind: 'not-known-yet', firstAt: STUB_AS_OF };
        if (symbol === 'EMPTY') return { kind: 'not-known-yet', firstAt: null };
        if (symbol === 'GAPS') return { kind: 'body', body: { symbol }, asOf: null, knownGaps };
        if (!symbol.startsWith('NONE') && symbol !== RENAMED.oldSymbol) {
          return { kind: 'body', body: { symbol }, asOf: null };
        }
        const successorSymbol = symbol === RENAMED.oldSymbol ? RENAMED.successor : null;
        const suggestions = ['NINE', 'NOON', 'NOUN', 'NEON', 'NOSE', 'NODE'];
        return { kind: 'unknown-symbol', symbol, suggestions, successorSymbol };
      }),
  };
}

function rowsEndpoint(respond: Respond): Endpoint {
  return {
    ...COMMON,
    name: 'rows-stub',
    path: '/v1/rows-stub',
    summary: 'Days and numbers',
    tag: 'earnings',
    historicalAccess: true,
    parameters: [],
    response: fields.list(
      fields.named('StubRow', { id: fields.text('Id.'), date: fields.date('Day.') }),
      'Rows.',
    ),
    example: [{ id: 'r1', date: '2026-11-20' }],
    topics: () => [],
    maxAgeSeconds: () => 60,
    handle: (_values, { historyFrom = null }) =>
      respond(() => {
        const visible = ROWS.filter(({ date }) => historyFrom === null || date >= historyFrom);
        const historyLimited = visible.length < ROWS.length;
        return { kind: 'body', body: visible, asOf: null, historyLimited };
      }),
  };
}

function statusEndpoint(respond: Respond, world: StubWorld): Endpoint {
  return {
    ...COMMON,
    name: 'status-stub',
    path: '/v1/status-stub',
    summary: 'Expires every minute',
    tag: 'market',
    historicalAccess: false,
    parameters: [],
    response: fields.named('StubStatus', { count: fields.integer('Number of computations.') }),
    example: { count: 1 },
    topics: () => [],
    validUntil: (_values, now) => (Math.floor(now / 60_000) + 1) * 60_000,
    maxAgeSeconds: (_values, now) => 60 - (Math.floor(now / 1000) % 60),
    handle: () => respond(() => ({ kind: 'body', body: { count: world.computed() }, asOf: null })),
  };
}

const ROWS = ['2026-11-20', '2026-08-20', '2024-11-20', '2024-11-19', '2010-01-04'].map(
  (date, index) => ({ id: `r${index}`, date }),
);

const COMMON = { describe: 'Stub for tests.', datasets: [] } as const;
