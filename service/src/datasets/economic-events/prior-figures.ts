import { addDays, addMonths, localDate, type LocalDate } from '../../domain/local-date.ts';
import { eventOfId } from './event-id.ts';
import { inOneUnit } from './published-value.ts';
import type { EconomicEvent } from './row.ts';

/** Days between two releases of a weekly event, which holidays move. */
const WEEK_DAYS = { min: 3, max: 11 };
const BEFORE: Readonly<Record<string, string>> = {
  second: 'advance',
  third: 'second',
  final: 'preliminary',
};
/**
 * Agencies publish the figure of the period before as revised since. Their own earlier release shows
 * it as first published.
 */
const RESTATING_PROVIDER = 'us-agencies';

/**
 * Completes `previous` and `revised` from the release before. Without a `previous`, it is the figure
 * of that release. If an agency restates it, its first figure is `previous` and the restated one
 * `revised`. Only a release in the same month or the month before counts, so that the months around
 * an event determine it.
 */
export function withPriorFigures(events: readonly EconomicEvent[]): EconomicEvent[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  const weekly = Map.groupBy(events.filter(isWeekly), ({ id }) => id.split(':')[0]);
  return events.map((event) => {
    const prior = isWeekly(event)
      ? weekBefore(event, weekly.get(event.id.split(':')[0]) ?? [])
      : periodBefore(event, byId);
    return prior === null ? event : complete(event, prior);
  });
}

function isWeekly({ id }: EconomicEvent): boolean {
  return (eventOfId(id)?.wellKnown.anchor ?? null) !== null;
}

function weekBefore(event: EconomicEvent, same: readonly EconomicEvent[]): EconomicEvent | null {
  const [from, to] = [addDays(event.date, -WEEK_DAYS.max), addDays(event.date, -WEEK_DAYS.min)];
  const before = same.filter(({ date }) => date >= from && date <= to);
  return before.toSorted((a, b) => (a.date < b.date ? 1 : -1))[0] ?? null;
}

/** Returns the release of the period before, or the estimate before of the same quarter. */
function periodBefore(
  event: EconomicEvent,
  byId: ReadonlyMap<string, EconomicEvent>,
): EconomicEvent | null {
  const identity = eventOfId(event.id);
  const { period } = event;
  if (identity === null || period === null || !event.id.endsWith(`:${period}`)) return null;
  const { stem } = identity.wellKnown;
  const { variant } = identity;
  const earlier = variant === null ? undefined : BEFORE[variant];
  const last = variant === 'advance' ? 'third' : variant;
  const id =
    earlier === undefined
      ? `${stem}${last === null ? '' : `-${last}`}:${periodAgo(period)}`
      : `${stem}-${earlier}:${period}`;
  const prior = byId.get(id) ?? null;
  const isNear = prior !== null && prior.date < event.date && prior.date >= nearFrom(event.date);
  return isNear ? prior : null;
}

function nearFrom(date: LocalDate): LocalDate {
  return addMonths(localDate(`${date.slice(0, 7)}-01`), -1);
}

/** Returns the period before `2026-10` or `2026-Q3`. */
function periodAgo(period: string): string {
  const quarter = /^(\d{4})-Q([1-4])$/.exec(period);
  if (quarter === null) return addMonths(localDate(`${period}-01`), -1).slice(0, 7);
  const [year, number] = [Number(quarter[1]), Number(quarter[2])];
  return number === 1 ? `${year - 1}-Q4` : `${year}-Q${number - 1}`;
}

function complete(event: EconomicEvent, prior: EconomicEvent): EconomicEvent {
  const source = prior.provenance['actual'];
  if (prior.actual === null || source === undefined) return event;
  const restated = event.provenance['previous'];
  if (event.previous === null || restated === undefined) {
    return withFigures(event, { previous: prior.actual }, { previous: source });
  }
  const isRestated =
    restated.provider === RESTATING_PROVIDER && source.provider === RESTATING_PROVIDER;
  if (!isRestated || event.revised !== null || event.previous === prior.actual) return event;
  // A later estimate of a quarter has no revision: the estimate before is its previous figure.
  const isSameQuarter = event.period === prior.period;
  return withFigures(
    event,
    { previous: prior.actual, revised: isSameQuarter ? null : event.previous },
    { previous: source, ...(!isSameQuarter && { revised: restated }) },
  );
}

function withFigures(
  event: EconomicEvent,
  figures: Partial<Pick<EconomicEvent, 'previous' | 'revised'>>,
  provenance: EconomicEvent['provenance'],
): EconomicEvent {
  const { actual, consensus, previous, revised } = { ...event, ...figures };
  const { unit, values } = inOneUnit([actual, consensus, previous, revised], event.unit);
  const sources = { ...event.provenance, ...provenance };
  return {
    ...event,
    previous,
    revised,
    actualValue: values[0] ?? null,
    consensusValue: values[1] ?? null,
    previousValue: values[2] ?? null,
    revisedValue: values[3] ?? null,
    unit,
    provenance: sources,
    updatedAt: Math.max(...Object.values(sources).map(({ seenAt }) => seenAt)),
  };
}
