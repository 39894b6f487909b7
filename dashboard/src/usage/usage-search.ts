import type { Calls } from '../api/calls.gen.ts';
import { newYorkMidnight, type Step } from '../format/new-york.ts';
import { oneOf, readDate } from '../format/search.ts';
import { addDays, newYorkDate } from '../format/time.ts';

export const RANGES = ['7d', '30d', '90d', 'custom'] as const;
export const STEPS = ['hour', 'day'] as const;
export const SPLITS = ['none', 'endpoint', 'status-class', 'key'] as const;

/** The API's limits on a range: two months by hour, or 400 days by day. */
const DAYS_MAX = { hour: 62, day: 400 } as const;
const DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The usage filters, as stored in the URL. Default values are omitted. */
export interface UsageSearch {
  range?: (typeof RANGES)[number];
  /** The first day of a custom range, as a New York date. Both ends are inclusive. */
  from?: string;
  to?: string;
  by?: Step;
  split?: (typeof SPLITS)[number];
  keyId?: string;
}

type UsageQuery = Calls['usage-read']['query'];

export function readUsageSearch(search: Record<string, unknown>): UsageSearch {
  const { keyId } = search;
  const parsed = {
    range: oneOf(RANGES, search['range']),
    by: oneOf(STEPS, search['by']),
    split: oneOf(SPLITS, search['split']),
    from: readDate(search['from']),
    to: readDate(search['to']),
    keyId: typeof keyId === 'string' && keyId !== '' ? keyId : undefined,
  };
  const entries = Object.entries(parsed).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

export interface UsageSelection {
  query: UsageQuery;
  /** The range in epoch milliseconds. `to` is exclusive. */
  from: number;
  to: number;
  step: Step;
  split: (typeof SPLITS)[number];
  /** True if the range is short enough for hourly steps. */
  canHour: boolean;
}

/**
 * Converts the filters to a query. Days start at midnight in New York. A range that ends now has no
 * `to`, so that the query stays the same through the day.
 */
export function selectionFrom(search: UsageSearch, now: number): UsageSelection {
  const { range = '30d', split = 'status-class', keyId } = search;
  const today = newYorkDate(new Date(now));
  const custom = range === 'custom' ? customDays(search, today) : null;
  const days = range === 'custom' ? 30 : DAYS[range];
  const first = custom?.from ?? addDays(today, 1 - days);
  const last = custom?.to ?? today;
  const from = newYorkMidnight(first);
  const end = newYorkMidnight(addDays(last, 1));
  // Includes the whole current hour, so that `to` changes only once an hour.
  const to = Math.min(end, Math.ceil(now / HOUR_MS) * HOUR_MS);
  const canHour = (end - from) / DAY_MS <= DAYS_MAX.hour;
  const step: Step = search.by === 'hour' && canHour ? 'hour' : 'day';
  const query = {
    by: step,
    split,
    from: new Date(from).toISOString(),
    ...(last < today ? { to: new Date(end).toISOString() } : {}),
    ...(keyId === undefined ? {} : { keyId }),
  };
  return { query, from, to, step, split, canHour };
}

/** Returns the dates of a custom range, adjusted to valid values. */
function customDays({ from, to }: UsageSearch, today: string): { from: string; to: string } {
  const last = to === undefined || to > today ? today : to;
  const usual = addDays(last, -29);
  const earliest = addDays(last, 1 - DAYS_MAX.day);
  const first = from === undefined || from > last ? usual : from;
  return { from: first < earliest ? earliest : first, to: last };
}
