import { addDays, dayOf, monthOf, yearOf } from '../../domain/local-date.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { KnownEvent } from './known-event.ts';

const VINTAGES = [
  { key: 'advance', label: 'advance estimate' },
  { key: 'second', label: 'second estimate' },
  { key: 'third', label: 'third estimate' },
] as const;

export interface EventIdentity {
  id: string;
  name: string;
  period: string | null;
}

/**
 * Id, name and period of a known event that comes out on that New York day. A period that the
 * source names counts before the one that the day implies.
 */
export function knownIdentity(
  known: KnownEvent,
  date: LocalDate,
  saidPeriod: string | null,
): EventIdentity {
  const { stem, name, cadence } = known;
  if (cadence.kind === 'dated') return { id: `${stem}:${date}`, name, period: saidPeriod };
  if (cadence.kind === 'monthly') {
    const period = saidPeriod ?? addDays(date, -cadence.lagDays).slice(0, 7);
    if (cadence.finalFromDay === undefined) return { id: `${stem}:${period}`, name, period };
    const isFinal = dayOf(date) >= cadence.finalFromDay;
    const [key, label] = isFinal ? ['final', 'final'] : ['preliminary', 'preliminary'];
    return { id: `${stem}-${key}:${period}`, name: `${name} (${label})`, period };
  }
  const period = saidPeriod ?? quarterBefore(date);
  if (!cadence.hasVintages) return { id: `${stem}:${period}`, name, period };
  const vintage = VINTAGES[(monthOf(date) - 1) % 3] ?? VINTAGES[0];
  return {
    id: `${stem}-${vintage.key}:${period}`,
    name: `${name} (${vintage.label})`,
    period,
  };
}

/** Id of any other event: place, name and day, with a number from the second of that name on. */
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
  return plain === '' ? 'event' : plain;
}

function quarterBefore(date: LocalDate): string {
  const quarter = Math.ceil(monthOf(date) / 3);
  return quarter === 1 ? `${yearOf(date) - 1}-Q4` : `${yearOf(date)}-Q${quarter - 1}`;
}
