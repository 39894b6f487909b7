import type { Instant } from '../../platform/instant.ts';
import { latest, latestBefore, saidSince } from '../source-records/thread.ts';
import type { Sighting } from '../source-records/thread.ts';
import type { CalendarThread, Draft } from './draft.ts';
import type { CalendarObservation, FiledFigure } from './observation.ts';
import { byPrecedence } from './precedence.ts';
import type { EpsBasis, FieldSource } from './row.ts';
import { sourceOf } from './release.ts';

/** The figures of one report with their sources; every EPS value is on `epsBasis`. */
export interface Figures {
  epsEstimate: Sourced<string> | null;
  estimateCount: Sourced<number> | null;
  eps: Sourced<string> | null;
  epsYearAgo: Sourced<string> | null;
  epsBasis: EpsBasis | null;
  revenueEstimate: Sourced<string> | null;
  revenue: Sourced<string> | null;
  estimateAsOf: Instant | null;
}

export interface Sourced<Value> {
  value: Value;
  source: FieldSource;
}

/**
 * Chooses the figures. EPS actual and consensus come from one provider, the first that has either,
 * since consensus is adjusted and XBRL is GAAP: XBRL gives EPS only where no calendar speaks of it.
 * Once a report is out its consensus is the last one seen before `freezeAt`; where none was seen in
 * time, what the source itself shows beside the result, with no instant.
 */
export function settleFigures(draft: Draft, freezeAt: Instant, isReleased: boolean): Figures {
  const family = familyOf(draft);
  const estimate = chooseEstimate(family, freezeAt, isReleased || hasActual(family));
  const calendarEps = firstSaid(family, 'eps');
  const filedEps = family.length > 0 ? null : filed(draft, 'epsDiluted');
  const speaker = family.find((thread) => latest(thread).fields.epsBasis !== undefined);
  return {
    ...estimate,
    eps: calendarEps ?? filedEps,
    epsYearAgo: firstSaid(family, 'epsYearAgo'),
    epsBasis: filedEps === null ? basisOf(speaker) : 'gaap',
    revenue: firstSaid(draft.calendars, 'revenue') ?? filed(draft, 'revenue'),
  };
}

/** The calendars of the first provider that gives any EPS; none when no calendar does. */
function familyOf(draft: Draft): CalendarThread[] {
  const ranked = draft.calendars.toSorted(byPrecedence('figures'));
  const first = ranked.find((thread) =>
    thread.sightings.some(({ fields }) => fields.eps != null || fields.epsEstimate != null),
  );
  return ranked.filter((thread) => thread.provider === first?.provider);
}

function hasActual(threads: readonly CalendarThread[]): boolean {
  return firstSaid(threads, 'eps') !== null || firstSaid(threads, 'revenue') !== null;
}

type Estimate = Pick<
  Figures,
  'epsEstimate' | 'estimateCount' | 'revenueEstimate' | 'estimateAsOf'
>;

function chooseEstimate(
  family: readonly CalendarThread[],
  freezeAt: Instant,
  isReleased: boolean,
): Estimate {
  if (isReleased) {
    for (const thread of family) {
      const sighting = latestBefore(thread, freezeAt);
      if (sighting !== null && sighting.at > 0 && sighting.fields.epsEstimate !== undefined) {
        return { ...estimateOf(thread, sighting), estimateAsOf: sighting.at };
      }
    }
  }
  const thread = family.find(({ sightings }) =>
    sightings.some(({ fields }) => fields.epsEstimate !== undefined),
  );
  const sighting = thread?.sightings.findLast(({ fields }) => fields.epsEstimate !== undefined);
  if (thread === undefined || sighting === undefined) return NO_ESTIMATE;
  return { ...estimateOf(thread, sighting), estimateAsOf: null };
}

const NO_ESTIMATE: Estimate = {
  epsEstimate: null,
  estimateCount: null,
  revenueEstimate: null,
  estimateAsOf: null,
};

function estimateOf(
  thread: CalendarThread,
  sighting: Sighting<CalendarObservation>,
): Omit<Estimate, 'estimateAsOf'> {
  return {
    epsEstimate: read(thread, sighting, 'epsEstimate'),
    estimateCount: read(thread, sighting, 'estimateCount'),
    revenueEstimate: read(thread, sighting, 'revenueEstimate'),
  };
}

type Spoken = 'eps' | 'revenue' | 'epsYearAgo' | 'epsEstimate' | 'revenueEstimate';

/** The newest known value of the first thread that has one. */
function firstSaid(threads: readonly CalendarThread[], field: Spoken): Sourced<string> | null {
  for (const thread of threads.toSorted(byPrecedence('figures'))) {
    const sighting = thread.sightings.findLast(({ fields }) => fields[field] !== undefined);
    const found = sighting === undefined ? null : read(thread, sighting, field);
    if (found !== null) return found;
  }
  return null;
}

function read<Field extends Spoken | 'estimateCount'>(
  thread: CalendarThread,
  sighting: Sighting<CalendarObservation>,
  field: Field,
): Sourced<NonNullable<CalendarObservation[Field]>> | null {
  const value = sighting.fields[field];
  if (value == null) return null;
  return { value, source: sourceOf(thread, sighting, (fields) => fields[field]) };
}

/** A filed figure as the market first saw it. */
function filed(draft: Draft, field: 'revenue' | 'epsDiluted'): Sourced<string> | null {
  const thread = draft.financials;
  if (thread === null) return null;
  const sighting = latest(thread);
  const figure: FiledFigure | null = sighting.fields[field];
  if (figure === null) return null;
  const seenAt = saidSince(thread, sighting, (fields) => fields[field]?.first);
  return { value: figure.first, source: { provider: thread.provider, feed: thread.feed, seenAt } };
}

function basisOf(thread: CalendarThread | undefined): EpsBasis | null {
  return thread === undefined ? null : (latest(thread).fields.epsBasis ?? null);
}
