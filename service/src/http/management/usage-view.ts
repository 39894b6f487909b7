import { Type } from 'typebox';
import { choice, instant, integer, list, named, text } from '../../endpoints/schema/fields.ts';
import { loadUsage, type UsageQuestion } from '../../metering/usage-store.ts';
import { formatInstant, type Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { renderCsv } from '../response/csv.ts';
import { readSpan } from './instants.ts';
import { done, type Outcome } from './route.ts';

const STEPS = ['hour', 'day'] as const;
const SPLITS = ['none', 'endpoint', 'status', 'status-class', 'key'] as const;

const INSTANT = { minLength: 1, maxLength: 40 };

export const usageQuery = {
  from: Type.Optional(
    Type.String({ ...INSTANT, description: 'From this instant on; a week or 30 days ago.' }),
  ),
  to: Type.Optional(Type.String({ ...INSTANT, description: 'Before this instant; now.' })),
  by: Type.Optional(choice(STEPS, 'Hours of UTC, or New York days, which is usual.')),
  split: Type.Optional(choice(SPLITS, 'What each hour or day is divided by; nothing, usually.')),
  endpoint: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Requests of this endpoint.' }),
  ),
  format: Type.Optional(choice(['json', 'csv'], '`csv` is a table of `rows`.')),
};

export const usageSchema = named('Usage', {
  from: instant('Counted from this instant on.'),
  to: instant('Without this instant.'),
  by: choice(STEPS, 'As asked.'),
  split: choice(SPLITS, 'As asked.'),
  rows: list(
    named('UsageRow', {
      at: instant('When the hour or day begins.'),
      name: text('What was divided by: endpoint, status, `4xx`, id of a key; else empty.'),
      requests: integer('Requests.'),
    }),
    'By time, then name. Hours and days without requests are left out.',
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

/** Spans are bounded so that an answer has some thousand rows at most. */
const SPANS = {
  hour: { daysUsual: 7, daysMax: 62 },
  day: { daysUsual: 30, daysMax: 400 },
} as const;

export async function usageAnswer(
  db: Queryable,
  asked: UsageAsked,
  of: { customerId: string | null; now: Instant },
): Promise<Outcome> {
  const { by = 'day', split = 'none', keyId, endpoint, format } = asked;
  const { customerId, now } = of;
  const span = readSpan(asked, { now, ...SPANS[by] });
  if ('refused' in span) return span.refused;
  const slices = await loadUsage(db, { customerId, ...span, by, split, keyId, endpoint });
  const rows = slices.map((slice) => ({ ...slice, at: formatInstant(slice.at) }));
  if (format === 'csv') {
    const shape = { buckets: null, inner: null, onWish: [], columns: ['at', 'name', 'requests'] };
    const text = renderCsv(shape, rows);
    return { kind: 'text', mediaType: 'text/csv; charset=utf-8', text, fileName: 'usage.csv' };
  }
  return done({ from: formatInstant(span.from), to: formatInstant(span.to), by, split, rows });
}
