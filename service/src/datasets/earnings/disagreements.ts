import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import { compareText } from '../../platform/compare.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { loadHistories } from '../source-records/load.ts';
import { latest, type ObservationHistory } from '../source-records/observation-history.ts';
import type { CalendarObservation, EarningsObservation } from './observation.ts';

/** A field of one report for which sources have different values. */
export interface Disagreement {
  symbol: string;
  field: 'date' | 'time' | 'eps';
  values: { provider: string; value: string }[];
  /**
   * For dates, the difference in days; for sessions, 1; for EPS, the difference as a fraction of
   * the larger value.
   */
  distance: number;
}

/** Rows for the same report are at most this many days apart. A quarter has ninety days. */
const SAME_REPORT_DAYS = 30;
const SYMBOLS_PER_QUERY = 300;

/**
 * Loads disagreements about the reports between two days, largest first. Compares each source's
 * latest values, limited to those seen after `since`.
 */
export async function loadDisagreements(
  db: Queryable,
  span: { from: LocalDate; to: LocalDate; since: Instant },
): Promise<Disagreement[]> {
  // Returns one row per report. Uses index earnings_event_by_date.
  const reports = await db.query<{ symbol: string; date: LocalDate }>(
    `select symbol, date from earnings_event
      where known_to is null and date between $1 and $2 order by symbol, date`,
    [span.from, span.to],
  );
  const disagreements: Disagreement[] = [];
  for (let first = 0; first < reports.length; first += SYMBOLS_PER_QUERY) {
    const some = reports.slice(first, first + SYMBOLS_PER_QUERY);
    const symbols = some.map(({ symbol }) => symbol);
    const histories = await loadHistories<EarningsObservation>(db, 'earnings', symbols);
    for (const { symbol, date } of some) {
      const rows = latestBySource(histories, symbol, date, span.since);
      disagreements.push(...disagreementsIn(symbol, rows));
    }
  }
  return disagreements.toSorted(
    (a, b) => b.distance - a.distance || compareText(a.symbol, b.symbol),
  );
}

interface SourceRow {
  provider: string;
  at: Instant;
  fields: CalendarObservation;
}

/** Returns the latest row about the report from each provider. */
function latestBySource(
  histories: readonly ObservationHistory<EarningsObservation>[],
  symbol: string,
  date: LocalDate,
  since: Instant,
): SourceRow[] {
  const byProvider = new Map<string, SourceRow>();
  for (const history of histories) {
    if (history.entityKey !== symbol) continue;
    const { provider } = history;
    const { at, fields } = latest(history);
    if (fields.kind !== 'calendar' || at < since) continue;
    if (Math.abs(daysBetween(date, fields.date)) > SAME_REPORT_DAYS) continue;
    const other = byProvider.get(provider);
    if (other === undefined || at > other.at) byProvider.set(provider, { provider, at, fields });
  }
  return [...byProvider.values()];
}

function disagreementsIn(symbol: string, rows: readonly SourceRow[]): Disagreement[] {
  const compareField = (
    field: Disagreement['field'],
    read: (fields: CalendarObservation) => string | null,
    distanceOf: (a: string, b: string) => number,
  ): Disagreement[] => {
    const values = rows.flatMap(({ provider, fields }) => {
      const value = read(fields);
      return value === null ? [] : [{ provider, value }];
    });
    if (values.every(({ value }) => value === values[0]?.value)) return [];
    const distances = values.flatMap((a) => values.map((b) => distanceOf(a.value, b.value)));
    const distance = Math.max(...distances);
    return distance === 0 ? [] : [{ symbol, field, values, distance }];
  };
  return [
    ...compareField(
      'date',
      ({ date }) => date,
      (a, b) => Math.abs(daysBetween(a as LocalDate, b as LocalDate)),
    ),
    ...compareField(
      'time',
      ({ time }) => (time === 'time-not-supplied' ? null : time),
      () => 1,
    ),
    ...compareField('eps', ({ eps }) => eps ?? null, relativeDifference),
  ];
}

/**
 * Returns the relative difference as a double, which is precise enough because only people read
 * this figure.
 */
function relativeDifference(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)];
  return x === y ? 0 : Math.abs(x - y) / Math.max(Math.abs(x), Math.abs(y));
}
