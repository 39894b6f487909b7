import type { CalendarObservation, SessionMarker } from '../../datasets/earnings/observation.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { parseIsoDate } from '../../domain/dirty-date.ts';
import { parseJsonNumber, unlessStandIn } from '../../domain/dirty-number.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { readText, readWith, required, requireSymbol } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { rejectAbsurdRevenue } from '../kit/absurd-revenue.ts';
import { RowError } from '../kit/row-error.ts';
import { withoutZeroSentinels } from '../kit/zero-sentinels.ts';
import type { ParsedRow } from '../provider.ts';

const MARKERS: ReadonlyMap<string | null, SessionMarker> = new Map([
  ['bmo', 'time-pre-market'],
  ['amc', 'time-after-hours'],
  ['dmh', 'time-during-market'],
  [null, 'time-not-supplied'],
]);

/**
 * Reads a row of the earnings calendar. `today` is the New York date of the observation, or null if
 * unknown. The year and quarter are fiscal, but the last day of the quarter is not given. The
 * results are adjusted, like the consensus.
 */
export function readCalendarRow(row: JsonObject, today: LocalDate | null): ParsedRow<'earnings'> {
  const symbol = requireSymbol(row, 'symbol');
  const date = required(readWith(row, 'date', parseIsoDate), 'date');
  const rawFields: CalendarObservation = {
    kind: 'calendar',
    symbol,
    date,
    time: readMarker(row),
    fiscalYear: readWholeNumber(row, 'year', 1900, 2100),
    fiscalQuarter: readWholeNumber(row, 'quarter', 1, 4),
  };
  if ('epsActual' in row) rawFields.eps = readNumber(row, 'epsActual');
  if ('revenueActual' in row) rawFields.revenue = readNumber(row, 'revenueActual');
  if ('epsEstimate' in row) rawFields.epsEstimate = readNumber(row, 'epsEstimate');
  if ('revenueEstimate' in row) rawFields.revenueEstimate = readNumber(row, 'revenueEstimate');
  const fields = withoutZeroSentinels(rawFields, today);
  const { fiscalYear, fiscalQuarter } = fields;
  const hasFiscalQuarter = fiscalYear != null && fiscalQuarter != null;
  const naturalKey = hasFiscalQuarter ? `${fiscalYear}Q${fiscalQuarter}` : `date:${date}`;
  rejectAbsurdRevenue(fields);
  return { dataset: 'earnings', entityKey: symbol, naturalKey, fields };
}

function readNumber(row: JsonObject, key: string): Decimal | null {
  return unlessStandIn(parseJsonNumber(Object.hasOwn(row, key) ? row[key] : null));
}

/** Returns a whole number within the bounds. Returns null for 0 and null, which mean unknown. */
function readWholeNumber(row: JsonObject, key: string, min: number, max: number): number | null {
  const value = Object.hasOwn(row, key) ? row[key] : null;
  if (value === null || value === undefined || value === 0) return null;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) {
    return value;
  }
  throw new RowError('bad-period', `${key} is ${JSON.stringify(value)}`.slice(0, 100));
}

function readMarker(row: JsonObject): SessionMarker {
  const text = readText(row, 'hour');
  const marker = MARKERS.get(text);
  if (marker === undefined) throw new RowError('bad-marker', `hour is ${JSON.stringify(text)}`);
  return marker;
}
