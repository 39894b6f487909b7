import { Type } from 'typebox';
import { choice, instant, integer, list, named, text } from '../../endpoints/schema/fields.ts';
import { loadUsage, type UsageQuestion } from '../../metering/usage-store.ts';
import { formatInstant, type Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { renderCsv } from '../response/csv.ts';
import { readRange } from './instants.ts';
import { done, type CallResult } from './route.ts';

const STEPS = ['hour', 'day'] as const;
const SPLITS = ['none', 'endpoint', 'status', 'status-class', 'key'] as const;

const INSTANT = { minLength: 1, maxLength: 40 };

export const usageQuery = {
  from: Type.Optional(
    Type.String({
      ...INSTANT,
      description:
        'Start of the range, inclusive; by default 7 days ago for hours, 30 days ago for days.',
    }),
  ),
  to: Type.Optional(
    Type.String({ ...INSTANT, description: 'End of the range, exclusive; now by default.' }),
  ),
  by: Type.Optional(choice(STEPS, 'Slice size: UTC hours or New York days (default).')),
  split: Type.Optional(choice(SPLITS, 'Dimension each slice is split by; none by default.')),
  endpoint: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Only requests to this endpoint.' }),
  ),
  format: Type.Optional(choice(['json', 'csv'], 'Response format; `csv` is a table of `rows`.')),
};

export const usageSchema = named('Usage', {
  from: instant('Start of the range, inclusive.'),
  to: instant('End of the range, exclusive.'),
  by: choice(STEPS, 'Slice size.'),
  split: choice(SPLITS, 'Dimension of the split.'),
  rows: list(
    named('UsageRow', {
      at: instant('Start of the hour or day.'),
      name: text(
        'Value of the split: an endpoint, a status, a class such as `4xx`, or a key ID; empty without a split.',
      ),
      requests: integer('Number of requests.'),
    }),
    'Ordered by time, then name. Slices without requests are omitted.',
  ),
});

/** A query that fits. */
export interface UsageAsked {
  from?: string;
  to?: string;
  by?: UsageQuestion['by'];
  split?: UsageQuestion['split'];
  keyId?: string;
  endpoint?: string;
  format?: 'json' | 'csv';
}

/** Ranges are limited so that a response has at most a few thousand rows. */
const SPANS = {
  hour: { daysUsual: 7, daysMax: 62 },
  day: { daysUsual: 30, daysMax: 400 },
} as const;

export async function usageAnswer(
  db: Queryable,
  asked: UsageAsked,
  of: { customerId: string | null; now: Instant },
): Promise<CallResult> {
  const { by = 'day', split = 'none', keyId, endpoint, format } = asked;
  const { customerId, now } = of;
  const span = readRange(asked, { now, ...SPANS[by] });
  if ('refused' in span) return span.rejected;
  const slices = await loadUsage(db, { customerId, ...span, by, split, keyId, endpoint });
  const rows = slices.map((slice) => ({ ...slice, at: formatInstant(slice.at) }));
  if (format === 'csv') {
    const shape = { buckets: null, inner: null, onWish: [], columns: ['at', 'name', 'requests'] };
    const text = renderCsv(shape, rows);
    return { kind: 'text', mediaType: 'text/csv; charset=utf-8', text, fileName: 'usage.csv' };
  }
  return done({ from: formatInstant(span.from), to: formatInstant(span.to), by, split, rows });
}
