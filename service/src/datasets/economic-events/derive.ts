import { daysBetween, weekdayOf } from '../../domain/local-date.ts';
import { compareBy, compareText } from '../../platform/compare.ts';
import type { Instant } from '../../platform/instant.ts';
import type { QuarantineReason } from '../dataset.ts';
import { rankOf } from '../precedence.ts';
import { canonicalJson } from '../source-records/canonical-json.ts';
import {
  latest,
  recordIds,
  unchangedSince,
  type ObservationHistory,
} from '../source-records/observation-history.ts';
import { calibrator } from './calibrate.ts';
import { type Candidate, candidatesOf } from './candidate.ts';
import type { EconomicObservation } from './observation.ts';
import { withPriorFigures } from './prior-figures.ts';
import { inOneUnit } from './published-value.ts';
import type { EconomicEvent, Provenance } from './row.ts';

type EconomicHistory = ObservationHistory<EconomicObservation>;
const FIGURES = ['actual', 'consensus', 'previous', 'revised'] as const;

export interface DerivedEconomy {
  /** Ordered by id. */
  events: EconomicEvent[];
  /** Records that no event uses. */
  quarantined: Map<number, QuarantineReason>;
}

/**
 * Derives the economic events for several months from all observations. A pure function: the
 * arrival order does not matter.
 */
export function deriveEconomicEvents(histories: readonly EconomicHistory[]): DerivedEconomy {
  const quarantined = new Map<number, QuarantineReason>();
  function quarantine(history: EconomicHistory, reason: QuarantineReason): void {
    for (const id of recordIds(history)) quarantined.set(id, reason);
  }
  const calibrate = calibrator(histories);
  const candidates = withoutWithdrawn(histories).flatMap((history) => {
    const result = candidatesOf(history, calibrate);
    if (!Array.isArray(result)) quarantine(history, result);
    return Array.isArray(result)
      ? result.filter((candidate) => isOnWorkingDay(candidate, quarantine))
      : [];
  });
  const announced = withoutProjected(candidates);
  const events = [...Map.groupBy(withStatedPeriods(announced), ({ id }) => id).values()].flatMap(
    (same) => {
      if (same.some(isDated)) return [toEvent(newestPerFeed(same, quarantine))];
      for (const { history, id } of same) {
        quarantine(history, { reason: 'no-release-date', detail: `no source dates ${id}` });
      }
      return [];
    },
  );
  events.sort(compareBy(({ id }) => id));
  return { events: withPriorFigures(events), quarantined };
}

/** A projected day is wrong by a few days at most. */
const PROJECTED_DAYS_MAX = 7;

/** Drops projected days of well-known events that are announced for another day of the week. */
function withoutProjected(candidates: readonly Candidate[]): Candidate[] {
  const isProjected = ({ observation }: Candidate): boolean =>
    observation.fields.isProjected === true;
  const projected = candidates.filter(isProjected);
  if (projected.length === 0) return [...candidates];
  const dropped = projected.filter(({ wellKnown, date }) =>
    candidates.some(
      (other) =>
        !isProjected(other) &&
        other.wellKnown === wellKnown &&
        Math.abs(daysBetween(other.date, date)) <= PROJECTED_DAYS_MAX,
    ),
  );
  return candidates.filter((candidate) => !dropped.includes(candidate));
}

function isDated({ observation }: Candidate): boolean {
  return observation.fields.isUndated !== true;
}

/**
 * Gives a well-known release whose source states no period the identity from a source that does, if
 * both list it on the same day. Otherwise, one release that a government shutdown delayed would
 * appear twice. Two stated periods on one day identify nothing.
 */
function withStatedPeriods(candidates: readonly Candidate[]): Candidate[] {
  const dayKey = ({ wellKnown, date }: Candidate): string => `${wellKnown?.stem}/${date}`;
  const stated = Map.groupBy(candidates.filter(statesPeriod), dayKey);
  return candidates.map((candidate) => {
    if (candidate.wellKnown === null || statesPeriod(candidate)) return candidate;
    const [first, ...others] = stated.get(dayKey(candidate)) ?? [];
    if (first === undefined || others.some(({ id }) => id !== first.id)) return candidate;
    const { id, eventName, period } = first;
    return { ...candidate, id, eventName, period };
  });
}

function statesPeriod(candidate: Candidate): boolean {
  const { wellKnown, observation } = candidate;
  if (wellKnown === null || wellKnown.cadence.kind === 'dated') return false;
  return isDated(candidate) && observation.fields.period != null;
}

/**
 * Checks that a statistic from a U.S. agency is on a working day, because agencies publish only
 * then. A weekend date was misread.
 */
function isOnWorkingDay(
  { history, observation, wellKnown, date, timeStatus }: Candidate,
  quarantine: (history: EconomicHistory, reason: QuarantineReason) => void,
): boolean {
  const weekday = weekdayOf(date);
  const isWeekend = weekday === 0 || weekday === 6;
  if (observation.isAccepted === true) return true;
  if (wellKnown === null || !wellKnown.isAgency) return true;
  if (timeStatus !== 'exact' || !isWeekend) return true;
  quarantine(history, {
    reason: 'agency-release-on-weekend',
    detail: `${wellKnown.name} would be published on ${date}`,
  });
  return false;
}

/**
 * Keeps the newest observation from each feed, because a moved release is listed under its new day.
 * Two observations at the same instant are two events with the same id; the one with the later day
 * is quarantined, or, on the same day, the one with the later name.
 */
function newestPerFeed(
  same: readonly Candidate[],
  quarantine: (history: EconomicHistory, reason: QuarantineReason) => void,
): [Candidate, ...Candidate[]] {
  const sorted = same.toSorted(
    (a, b) =>
      rankOf('economic-events', a.history) - rankOf('economic-events', b.history) ||
      compareText(sourceName(a.history), sourceName(b.history)) ||
      b.observation.at - a.observation.at ||
      compareText(a.date, b.date) ||
      compareText(a.history.naturalKey, b.history.naturalKey),
  );
  const newest = sorted.filter((candidate, i) => {
    const before = sorted[i - 1];
    if (before === undefined || sourceName(before.history) !== sourceName(candidate.history))
      return true;
    if (before.observation.at === candidate.observation.at)
      quarantine(candidate.history, duplicateReason(before, candidate));
    return false;
  });
  const [first, ...others] = newest;
  if (first === undefined) throw new RangeError('an event without candidates');
  return [first, ...others];
}

function duplicateReason(before: Candidate, candidate: Candidate): QuarantineReason {
  if (before.date !== candidate.date) {
    return { reason: 'same-period-twice', detail: `${candidate.id} is listed on ${before.date}` };
  }
  const name = before.observation.fields.eventName;
  return { reason: 'same-id-twice', detail: `${candidate.id} is ${name} already` };
}

/** Combines the feeds' values into one event, preferred feeds first. */
function toEvent(candidates: readonly [Candidate, ...Candidate[]]): EconomicEvent {
  const lead = candidates.find(isDated) ?? candidates[0];
  const provenance: Provenance = {};
  const { wellKnown } = lead;
  provenance['schedule'] = sourceOf(lead, ({ date, time, timeStatus }) => [date, time, timeStatus]);
  const figures = FIGURES.map((figure) => {
    const preferred = candidates.find(({ observation }) => observation.fields[figure] != null);
    if (preferred === undefined) return null;
    provenance[figure] = sourceOf(preferred, (fields) => fields[figure]);
    return preferred.observation.fields[figure] ?? null;
  });
  const firstOf = <Key extends 'unit' | 'measure' | 'importance' | 'sourceUrl'>(key: Key) =>
    candidates.map(({ observation }) => observation.fields[key]).find((value) => value != null) ??
    null;
  const { unit, values } = inOneUnit(figures, firstOf('unit') ?? wellKnown?.unit ?? null);
  return {
    id: lead.id,
    country: lead.country,
    countryCode: lead.countryCode,
    eventName: lead.eventName,
    date: lead.date,
    time: lead.time ?? '24H',
    scheduledAt: lead.scheduledAt,
    timeStatus: lead.timeStatus,
    actual: figures[0] ?? null,
    consensus: figures[1] ?? null,
    previous: figures[2] ?? null,
    revised: figures[3] ?? null,
    actualValue: values[0] ?? null,
    consensusValue: values[1] ?? null,
    previousValue: values[2] ?? null,
    revisedValue: values[3] ?? null,
    unit,
    measure: wellKnown?.measure ?? firstOf('measure') ?? measureInName(lead.eventName),
    period: lead.period,
    importance: wellKnown?.importance ?? firstOf('importance') ?? 1,
    usMajor: wellKnown?.usMajor ?? false,
    sourceUrl: firstOf('sourceUrl'),
    provenance,
    updatedAt: Math.max(...Object.values(provenance).map(({ seenAt }) => seenAt)),
  };
}

function sourceOf(
  { history, observation }: Pick<Candidate, 'history' | 'observation'>,
  read: (fields: EconomicObservation) => unknown,
): Provenance[string] {
  const seenAt = unchangedSince(history, observation, (fields) =>
    canonicalJson(read(fields) ?? null),
  );
  return { provider: history.provider, feed: history.feed, seenAt };
}

function measureInName(name: string): EconomicEvent['measure'] {
  const measure = /\((mom|qoq|yoy)\)/i.exec(name)?.[1]?.toLowerCase();
  return measure === 'mom' || measure === 'qoq' || measure === 'yoy' ? measure : null;
}

function sourceName(history: EconomicHistory): string {
  return `${history.provider}/${history.feed}`;
}

/** A list that shrinks below this fraction of its previous length is assumed to be truncated, so its missing rows stay current. */
const COMPLETE_SHARE_MIN = 0.8;

/**
 * Returns the current histories. A row that is missing from a later capture of its list was
 * withdrawn or moved, unless that capture is so short that it may be incomplete. A row with a
 * source key that appears under a different month has moved there, regardless of the length of its
 * list.
 */
function withoutWithdrawn(histories: readonly EconomicHistory[]): EconomicHistory[] {
  const lists = Map.groupBy(histories, listOf);
  const newestOfRow = new Map<string, Instant>();
  for (const history of histories) {
    const at = newestOfRow.get(rowOf(history)) ?? -Infinity;
    newestOfRow.set(rowOf(history), Math.max(at, latest(history).at));
  }
  return histories.filter((history) => {
    if (latest(history).at < (newestOfRow.get(rowOf(history)) ?? -Infinity)) return false;
    if (latest(history).fields.list === null) return true;
    const list = lists.get(listOf(history)) ?? [];
    const newestAt = Math.max(...list.map((candidate) => latest(candidate).at));
    const lastAt = latest(history).at;
    return (
      lastAt === newestAt || sizeAt(list, newestAt) < COMPLETE_SHARE_MIN * sizeAt(list, lastAt)
    );
  });
}

function listOf(history: EconomicHistory): string {
  return `${history.provider}/${history.feed}/${latest(history).fields.list}`;
}

/**
 * Identifies a feed's row independently of the month. Keys that we generate, rather than the
 * source, begin with the day.
 */
function rowOf({ provider, feed, naturalKey }: EconomicHistory): string {
  return `${provider}/${feed}/${naturalKey}`;
}

function sizeAt(list: readonly EconomicHistory[], at: Instant): number {
  return list.filter(({ observations }) =>
    observations.some((observation) => observation.at === at),
  ).length;
}
