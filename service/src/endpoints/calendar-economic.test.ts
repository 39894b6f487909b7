import { Compile } from 'typebox/schema';
import { expect, test } from 'vitest';
import type { EconomicEvent } from '../datasets/economic-events/row.ts';
import { parameterValues } from '../../test/support/parameter-values.ts';
import { localDate } from '../domain/local-date.ts';
import type { Queryable, Row } from '../storage/db.ts';
import { endpoint } from './calendar-economic.ts';
import type { EconomicEventRow } from './rows/economic-event-row.ts';

const DAY = localDate('2026-11-12');
const check = Compile(endpoint.response);

test('sorts economic events by time with unknown times first, then by country and name', async () => {
  const events = [
    stored('d', 'Japan', 'A', '08:30'),
    stored('c', 'Canada', 'B', '08:30'),
    stored('b', 'Canada', 'A', '08:30'),
    stored('a', 'United States', 'Z', '07:00'),
    stored('e', 'United States', 'Fictional Day', null),
  ];
  expect((await response(events)).map(({ id }) => id)).toEqual(['e', 'a', 'b', 'c', 'd']);
});

test('returns every economic event field in schema order, with null for unknown values', async () => {
  const [row] = await response([stored('a', 'Japan', 'Fictional Day', null)]);
  const { items } = JSON.parse(JSON.stringify(endpoint.response)) as {
    items: { properties: object };
  };
  const always = Object.keys(items.properties).filter((name) => name !== 'provenance');
  expect(Object.keys(row ?? {})).toEqual(always);
  expect(check.Check([row])).toBe(true);
  expect(row).toMatchObject({ time: '24H', scheduledAt: null, actual: null, actualValue: null });
});

test('returns economic figures both as published and as numbers', async () => {
  const event = { ...stored('a', 'Japan', 'A', '08:30'), actual: '1,053K', actualValue: '1053' };
  expect(await response([{ ...event, unit: 'thousand' }])).toMatchObject([
    { actual: '1,053K', actualValue: 1053, unit: 'thousand' },
  ]);
});

test('limits the list and asOf to major indicators if usmajor is set', async () => {
  const major = { ...stored('a', 'United States', 'CPI', '08:30'), usMajor: true, updatedAt: 1 };
  const other = { ...stored('b', 'United States', 'Survey', '09:00'), updatedAt: 2 };
  expect((await response([other, major], true)).map(({ id }) => id)).toEqual(['a']);
  expect(await majorEvents([other, major], true)).toMatchObject({ asOf: 1 });
  expect(await majorEvents([other, major])).toMatchObject({ asOf: 2 });
});

test("invalidates a cached range of economic events when any of its days changes, and checks its first day against the plan's history", () => {
  const values = parameterValues({ from: '2026-11-12', to: '2026-11-13' });
  const topics = endpoint.topics(values, 0);
  expect(topics).toEqual(['economic:date:2026-11-12', 'economic:date:2026-11-13']);
  expect(endpoint.firstDay?.(values)).toBe('2026-11-12');
});

test('returns an empty list for a day without economic events', async () => {
  expect(await majorEvents([])).toEqual({ kind: 'body', body: [], asOf: null, knownGaps: [] });
});

function stored(
  id: string,
  country: string,
  eventName: string,
  time: string | null,
): EconomicEvent {
  return {
    id,
    country,
    eventName,
    countryCode: null,
    date: DAY,
    time: time ?? '24H',
    scheduledAt: time === null ? null : Date.parse(`${DAY}T${time}:00-05:00`),
    timeStatus: time === null ? 'all-day' : 'exact',
    actual: null,
    consensus: null,
    previous: null,
    revised: null,
    actualValue: null,
    consensusValue: null,
    previousValue: null,
    revisedValue: null,
    unit: null,
    measure: null,
    period: null,
    importance: 1,
    usMajor: false,
    sourceUrl: null,
    provenance: {},
    updatedAt: 0,
  };
}

function majorEvents(events: readonly EconomicEvent[], usmajor = false) {
  const db: Queryable = {
    query: <T extends Row>() => Promise.resolve(events.map((event) => ({ ...event }) as Row as T)),
  };
  const values = parameterValues({ date: DAY, usmajor });
  return endpoint.handle(values, { db, now: Date.parse('2026-11-12T20:00:00Z') });
}

async function response(
  events: readonly EconomicEvent[],
  usmajor = false,
): Promise<EconomicEventRow[]> {
  const result = await majorEvents(events, usmajor);
  return result.kind === 'body' ? (result.body as EconomicEventRow[]) : [];
}
