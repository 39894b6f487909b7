import {
  type Decimal,
  divideDecimals,
  multiplyDecimals,
  normalizeDecimal,
} from '../../domain/decimal.ts';

/** A parsed published figure. `scale` is null if the text has none. */
export interface PublishedValue {
  value: Decimal;
  scale: 'percent' | 'thousand' | 'million' | 'billion' | 'trillion' | null;
}

const SHAPE = /^([-+]?)((?:[1-9]\d{0,2}(?:,\d{3})+|\d{1,15})(?:\.\d{1,12})?)(%|K|M|B|T)?$/;
const SCALES = {
  '%': 'percent',
  K: 'thousand',
  M: 'million',
  B: 'billion',
  T: 'trillion',
} as const;
const FACTORS: Readonly<Record<string, Decimal>> = {
  thousand: '1000',
  million: '1000000',
  billion: '1000000000',
  trillion: '1000000000000',
};

/**
 * Parses `0.4%`, `-68.20B`, `1,053K`, `79.2`. Returns null for any other text, which is published
 * only as text.
 */
export function readPublished(text: string): PublishedValue | null {
  const match = SHAPE.exec(text.trim());
  if (match === null) return null;
  const value = normalizeDecimal(`${match[1] ?? ''}${(match[2] ?? '').replaceAll(',', '')}`);
  const mark = match[3] as keyof typeof SCALES | undefined;
  return value === null ? null : { value, scale: mark === undefined ? null : SCALES[mark] };
}

/**
 * Converts several figures for one event to the unit of the first: with 1.2M as the first figure,
 * 999K becomes 0.999 million. If the scales are incompatible (a percentage and a level), the later
 * figure has no value.
 */
export function inOneUnit(
  texts: readonly (string | null)[],
  fallbackUnit: string | null,
): { unit: string | null; values: (Decimal | null)[] } {
  const read = texts.map((text) => (text === null ? null : readPublished(text)));
  const lead = read.find((value) => value !== null);
  const scale = lead?.scale ?? null;
  // A plain number for an event that is known to be a percentage or an index has that unit.
  const unit = lead === undefined ? null : (scale ?? fallbackUnit);
  const values = read.map((value) => (value === null ? null : convert(value, scale)));
  return { unit, values };
}

function convert({ value, scale }: PublishedValue, to: PublishedValue['scale']): Decimal | null {
  if (scale === to) return value;
  if (scale === null || to === null) return oneIsPercent(scale, to) ? value : null;
  const from = FACTORS[scale];
  const into = FACTORS[to];
  if (from === undefined || into === undefined) return null;
  return divideDecimals(multiplyDecimals(value, from), into, 12);
}

/** Lists sometimes omit the percent sign. */
function oneIsPercent(a: PublishedValue['scale'], b: PublishedValue['scale']): boolean {
  return a === 'percent' || b === 'percent';
}
