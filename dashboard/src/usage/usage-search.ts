import type { Calls } from '../api/calls.gen.ts';
import { newYorkMidnight, type Step } from '../format/new-york.ts';
import { oneOf } from '../format/search.ts';
import { addDays, newYorkDate } from '../format/time.ts';

export const RANGES = ['7d', '30d', '90d', 'custom'] as const;
export const STEPS = ['hour', 'day'] as const;
export const SPLITS = ['none', 'endpoint', 'status-class', 'key'] as const;

/** Hours are told of two months at most, days of a year and a bit. */
const DAYS_MAX = { hour: 62, day: 400 } as const;
const DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What the address of the page says; left out is what is usual. */
export interface UsageSearch {
  range?: (typeof RANGES)[number];
  /** New York days of a custom range, both within it. */
  from?: string;
  to?: string;
  by?: Step;
  split?: (typeof SPLITS)[number];
  keyId?: string;
}

type UsageQuery = Calls['usage-read']['query'];

export function readUsageSearch(search: Record<string, unknown>): UsageSearch {
  const { keyId } = search;
  const read = {
    range: oneOf(RANGES, search['range']),
    by: oneOf(STEPS, search['by']),
    split: oneOf(SPLITS, search['split']),
    from: readDate(search['from']),
    to: readDate(search['to']),
    keyId: typeof keyId === 'string' && keyId !== '' ? keyId : undefined,
  };
  const given = Object.entries(read).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

export interface UsageQuestion {
  query: UsageQuery;
  /** The same span in milliseconds, `to` without itself. */
  from: number;
  to: number;
  by: Step;
  split: (typeof SPLITS)[number];
  /** Whether hours can be told of so long a span. */
  canHour: boolean;
}

/**
 * The question that a page's address stands for. Days begin in New York; a span that ends now leaves
 * its end out, so that the question stays the same through the day.
 */
export function questionOf(search: UsageSearch, now: number): UsageQuestion {
  const { range = '30d', split = 'status-class', keyId } = search;
  const today = newYorkDate(new Date(now));
  const custom = range === 'custom' ? customDays(search, today) : null;
  const days = range === 'custom' ? 30 : DAYS[range];
  const first = custom?.from ?? addDays(today, 1 - days);
  const last = custom?.to ?? today;
  const from = newYorkMidnight(first);
  const end = newYorkMidnight(addDays(last, 1));
  // A running hour or day counts as whole: the end of the span moves once an hour.
  const to = Math.min(end, Math.ceil(now / HOUR_MS) * HOUR_MS);
  const canHour = (end - from) / DAY_MS <= DAYS_MAX.hour;
  const by: Step = search.by === 'hour' && canHour ? 'hour' : 'day';
  const query = {
    by,
    split,
    from: new Date(from).toISOString(),
    ...(last < today ? { to: new Date(end).toISOString() } : {}),
    ...(keyId === undefined ? {} : { keyId }),
  };
  return { query, from, to, by, split, canHour };
}

/** The days of a custom range; what does not fit becomes the nearest that does. */
function customDays({ from, to }: UsageSearch, today: string): { from: string; to: string } {
  const last = to === undefined || to > today ? today : to;
  const usual = addDays(last, -29);
  const earliest = addDays(last, 1 - DAYS_MAX.day);
  const first = from === undefined || from > last ? usual : from;
  return { from: first < earliest ? earliest : first, to: last };
}

function readDate(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  const at = new Date(`${value}T00:00:00Z`);
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== value ? undefined : value;
}
