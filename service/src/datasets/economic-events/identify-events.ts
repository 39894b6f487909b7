import {
  absoluteDecimal,
  addDecimals,
  compareDecimals,
  type Decimal,
  multiplyDecimals,
} from '../../domain/decimal.ts';
import { compareText } from '../../platform/compare.ts';
import { foldName, type WellKnownEvent } from './well-known-event.ts';
import { WELL_KNOWN_EVENTS } from './well-known-events.ts';
import type { Measure } from './row.ts';
import { readPublished } from './published-value.ts';

/** The values of a listed event that help to identify it. */
export interface NamedRow {
  eventName: string;
  countryCode: string | null;
  time: string | null;
  /** Published values as text. */
  values: readonly (string | null)[];
  measure?: Measure | null;
}

export interface Identity {
  stem: string | null;
  ordinal: number;
}

const byAlias = Map.groupBy(
  WELL_KNOWN_EVENTS.flatMap((event) => event.aliases.map((alias) => ({ alias, event }))),
  ({ alias }) => alias,
);
const byStem = new Map(WELL_KNOWN_EVENTS.map((event) => [event.stem, event]));

export function wellKnownEvent(stem: string): WellKnownEvent | null {
  return byStem.get(stem) ?? null;
}

/**
 * Identifies the rows in one day's list, in the given order. Lists use one name for both the
 * monthly and the yearly rate, in either order. If a well-known event has two percentages, the one
 * published with two decimals is the yearly rate; otherwise the one with much larger figures is.
 * Two similar rates remain unidentified, because in months with low inflation the larger figures
 * are just as often the monthly ones. Identical names that no table contains are numbered by time
 * and size, so that the order in the list does not matter.
 */
export function identifyEvents(rows: readonly NamedRow[]): Identity[] {
  const identities: Identity[] = rows.map(() => ({ stem: null, ordinal: 1 }));
  const groups = Map.groupBy(
    rows.map((row, index) => {
      return { row, index, size: sizeOf(row), isPercent: isPercent(row), isFine: isFine(row) };
    }),
    ({ row }) => `${row.countryCode ?? ''}/${foldName(row.eventName)}`,
  );
  for (const group of groups.values()) {
    const first = group[0];
    if (first === undefined) continue;
    const candidates =
      first.row.countryCode === 'US'
        ? (byAlias.get(foldName(first.row.eventName)) ?? []).map(({ event }) => event)
        : [];
    const isPair = areMonthAndYear(candidates);
    group.sort((a, b) => (isPair ? Number(a.isFine) - Number(b.isFine) : 0) || bySize(a, b));
    const remaining = new Set(candidates);
    const ambiguous = isPair ? ambiguousPair(group) : [];
    const unnamed = group.filter((member) => {
      if (ambiguous.includes(member)) return true;
      const event = pick(remaining, member);
      if (event === null) return true;
      remaining.delete(event);
      identities[member.index] = { stem: event.stem, ordinal: 1 };
      return false;
    });
    for (const [place, { index }] of unnamed.entries()) {
      identities[index] = { stem: null, ordinal: place + 1 };
    }
  }
  return identities;
}

interface Member {
  row: NamedRow;
  index: number;
  size: Decimal;
  isPercent: boolean | null;
  /** True if the value is published with two decimals. */
  isFine: boolean;
}

/** A rate that is larger by at least this factor is certainly the yearly one. */
const SURELY_LARGER = '2';

function areMonthAndYear(events: readonly WellKnownEvent[]): boolean {
  return ['mom', 'yoy'].every((rate) => events.some(({ measure }) => measure === rate));
}

/** Returns two percentages that may be monthly or yearly; empty for all others. */
function ambiguousPair(group: readonly Member[]): Member[] {
  const percents = group.filter(({ isPercent: is }) => is === true);
  const [small, large, third] = percents;
  if (small === undefined || large === undefined || third !== undefined) return [];
  const isMarked = percents.some(({ row }) => row.measure != null) || small.isFine !== large.isFine;
  const isSure = compareDecimals(large.size, multiplyDecimals(small.size, SURELY_LARGER)) >= 0;
  return isMarked || isSure ? [] : percents;
}

/**
 * Returns the first remaining event that the row can be. Rows are ordered by size, monthly rates
 * before yearly ones.
 */
function pick(remaining: ReadonlySet<WellKnownEvent>, member: Member): WellKnownEvent | null {
  const all = [...remaining].filter(
    ({ measure }) => member.row.measure == null || member.row.measure === measure,
  );
  const percents = all.filter(({ unit }) => unit === 'percent');
  if (percents.length === all.length) return yearsLast(all)[0] ?? null;
  const measure =
    member.isPercent === false ? all.filter(({ unit }) => unit !== 'percent') : percents;
  // A row without figures is treated as the headline event.
  return (member.isPercent === null ? all[0] : measure[0]) ?? null;
}

function yearsLast(events: readonly WellKnownEvent[]): WellKnownEvent[] {
  return events.toSorted((a, b) => Number(a.measure === 'yoy') - Number(b.measure === 'yoy'));
}

function bySize(a: Member, b: Member): number {
  return (
    compareText(a.row.time ?? '', b.row.time ?? '') ||
    compareDecimals(a.size, b.size) ||
    a.index - b.index
  );
}

function sizeOf(row: NamedRow): Decimal {
  const sizes = row.values.flatMap((text) => {
    const read = text === null ? null : readPublished(text);
    return read === null ? [] : [absoluteDecimal(read.value)];
  });
  return sizes.reduce((sum, size) => addDecimals(sum, size), '0');
}

function isFine(row: NamedRow): boolean {
  const texts = row.values.filter((text) => text !== null);
  return texts.length > 0 && texts.every((text) => /\.\d\d%$/.test(text));
}

function isPercent(row: NamedRow): boolean | null {
  const texts = row.values.filter((text) => text !== null);
  return texts.length === 0 ? null : texts.some((text) => text.endsWith('%'));
}
