import { daysBetween, type LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { loadHistories } from '../source-records/load.ts';
import { latest, type ObservationHistory } from '../source-records/observation-history.ts';
import type { CalendarObservation, EarningsObservation } from './observation.ts';

/** Two sources that say different things of one report. */
export interface Disagreement {
  symbol: string;
  field: 'date' | 'time' | 'eps';
  said: { provider: string; value: string }[];
  /** How far apart: days of a date, 1 for another session, the share of the larger EPS. */
  distance: number;
}

/** Threads of one report lie no further apart than this; a quarter is ninety days. */
const SAME_REPORT_DAYS = 30;
const SUBJECTS_AT_ONCE = 300;

/**
 * Where sources differ on the reports between two days, the worst first: each source by what it
 * said last, if that was after `since`.
 */
export async function loadDisagreements(
  db: Queryable,
  span: { from: LocalDate; to: LocalDate; since: Instant },
): Promise<Disagreement[]> {
  // The symbols with a report in the span; by index earnings_event_by_date.
  const rows = await db.query<{ symbol: string; date: LocalDate }>(
    `select symbol, date from earnings_event
      where known_to is null and date between $1 and $2 order by symbol, date`,
    [span.from, span.to],
  );
  const found: Disagreement[] = [];
  for (let first = 0; first < rows.length; first += SUBJECTS_AT_ONCE) {
    const some = rows.slice(first, first + SUBJECTS_AT_ONCE);
    const histories = await loadHistories<EarningsObservation>(
      db,
      'earnings',
      some.map(({ symbol }) => symbol),
    );
    for (const { symbol, date } of some) {
      const said = newestOf(histories, symbol, date, span.since);
      found.push(...differences(symbol, said));
    }
  }
  return found.toSorted((a, b) => b.distance - a.distance || (a.symbol < b.symbol ? -1 : 1));
}

interface Said {
  provider: string;
  at: Instant;
  fields: CalendarObservation;
}

/** What each source said last of the report. */
function newestOf(
  histories: readonly ObservationHistory<EarningsObservation>[],
  symbol: string,
  date: LocalDate,
  since: Instant,
): Said[] {
  const byProvider = new Map<string, Said>();
  for (const history of histories) {
    if (history.entityKey !== symbol) continue;
    const { at, fields } = latest(history);
    if (fields.kind !== 'calendar' || at < since) continue;
    if (Math.abs(daysBetween(date, fields.date)) > SAME_REPORT_DAYS) continue;
    const known = byProvider.get(history.provider);
    if (known === undefined || at > known.at) {
      byProvider.set(history.provider, { provider: history.provider, at, fields });
    }
  }
  return [...byProvider.values()];
}

function differences(
  symbol: string,
  said: readonly { provider: string; fields: CalendarObservation }[],
): Disagreement[] {
  return [
    differ(
      symbol,
      'date',
      said,
      ({ date }) => date,
      (a, b) => Math.abs(daysBetween(a as LocalDate, b as LocalDate)),
    ),
    differ(
      symbol,
      'time',
      said,
      ({ time }) => (time === 'time-not-supplied' ? null : time),
      () => 1,
    ),
    differ(symbol, 'eps', said, ({ eps }) => eps ?? null, relative),
  ].filter((each) => each !== null);
}

function differ(
  symbol: string,
  field: Disagreement['field'],
  said: readonly { provider: string; fields: CalendarObservation }[],
  read: (fields: CalendarObservation) => string | null,
  distanceOf: (a: string, b: string) => number,
): Disagreement | null {
  const values = said.flatMap(({ provider, fields }) => {
    const value = read(fields);
    return value === null ? [] : [{ provider, value }];
  });
  const distances = values.flatMap((a) => values.map((b) => distanceOf(a.value, b.value)));
  const isOne = values.every(({ value }) => value === values[0]?.value);
  const distance = Math.max(0, ...distances);
  return isOne || distance === 0 ? null : { symbol, field, said: values, distance };
}

/** Figures for people only: a double is good enough to say how far apart they are. */
function relative(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)];
  return x === y ? 0 : Math.abs(x - y) / Math.max(Math.abs(x), Math.abs(y));
}
