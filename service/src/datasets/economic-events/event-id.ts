import { createHash } from 'node:crypto';
import { addDays, dayOf, type LocalDate, monthOf, yearOf } from '../../domain/local-date.ts';
import { foldName, type WellKnownEvent } from './well-known-event.ts';
import { wellKnownEvent } from './identify-events.ts';
import { delayedRelease, type Vintage } from './delayed-releases.ts';

/** Indexed by the month of the quarter in which the estimate is published. */
const VINTAGES: readonly Vintage[] = ['advance', 'second', 'third'];

export interface EventIdentity {
  id: string;
  name: string;
  period: string | null;
}

/** The facts that a source states about a release. Those it does not state are null or absent. */
export interface StatedRelease {
  period?: string | null | undefined;
  vintage?: Vintage | null | undefined;
}

/**
 * Returns id, name and period for a well-known event on a New York day. The source's statements have
 * priority, then the table of delayed releases, then the date. Without a period the id ends with the
 * day.
 */
export function wellKnownIdentity(
  event: WellKnownEvent,
  date: LocalDate,
  stated: StatedRelease = {},
): EventIdentity {
  const { stem, name, cadence } = event;
  if (cadence.kind === 'dated')
    return { id: `${stem}:${date}`, name, period: stated.period ?? null };
  const delayed = delayedRelease(stem, date);
  const period = stated.period ?? (delayed === null ? impliedPeriod(event, date) : delayed.period);
  const end = period ?? date;
  if (cadence.kind === 'monthly') {
    if (cadence.finalFromDay === undefined) return { id: `${stem}:${end}`, name, period };
    const key = dayOf(date) >= cadence.finalFromDay ? 'final' : 'preliminary';
    return { id: `${stem}-${key}:${end}`, name: `${name} (${key})`, period };
  }
  if (!cadence.hasVintages) return { id: `${stem}:${end}`, name, period };
  const implied = delayed === null ? VINTAGES[(monthOf(date) - 1) % 3] : delayed.vintage;
  const vintage = stated.vintage ?? implied;
  if (vintage == null) return { id: `${stem}:${end}`, name, period };
  return { id: `${stem}-${vintage}:${end}`, name: `${name} (${vintage} estimate)`, period };
}

function impliedPeriod({ cadence }: WellKnownEvent, date: LocalDate): string {
  if (cadence.kind === 'monthly') return addDays(date, -cadence.lagDays).slice(0, 7);
  return quarterBefore(date);
}

/**
 * Returns the well-known event of an id, and the estimate in it (`advance`, `final`), if any; null
 * for any other event.
 */
export function eventOfId(
  id: string,
): { wellKnown: WellKnownEvent; variant: string | null } | null {
  const [prefix = ''] = id.split(':');
  const wellKnown = wellKnownEvent(prefix);
  if (wellKnown !== null) return { wellKnown, variant: null };
  const end = Math.max(0, prefix.lastIndexOf('-'));
  const event = wellKnownEvent(prefix.slice(0, end));
  return event === null ? null : { wellKnown: event, variant: prefix.slice(end + 1) };
}

/**
 * Returns the id for any other event: country, name and day, with a number from the second event of
 * that name onwards.
 */
export function plainId(place: string, name: string, ordinal: number, date: LocalDate): string {
  const number = ordinal > 1 ? `-${ordinal}` : '';
  return `${slug(place)}-${slug(name)}${number}:${date}`;
}

function slug(text: string): string {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  if (plain !== '') return plain;
  return /\p{L}/u.test(text) ? `event-${hashOf(text)}` : 'event';
}

/** Returns a short hash of a name in another script, from which no readable id can be built. */
function hashOf(text: string): string {
  return createHash('sha256').update(foldName(text)).digest('hex').slice(0, 8);
}

function quarterBefore(date: LocalDate): string {
  const quarter = Math.ceil(monthOf(date) / 3);
  return quarter === 1 ? `${yearOf(date) - 1}-Q4` : `${yearOf(date)}-Q${quarter - 1}`;
}
