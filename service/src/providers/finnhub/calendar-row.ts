import type { CalendarObservation, SessionMarker } from '../../datasets/earnings/observation.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { parseIsoDate } from '../../domain/dirty-date.ts';
import { parseJsonNumber, unlessStandIn } from '../../domain/dirty-number.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { readText, readWith, required, requireSymbol } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { refuseAbsurdRevenue } from '../kit/refuse-absurd-revenue.ts';
import { RowError } from '../kit/row-error.ts';
import type { ParsedRow } from '../provider.ts';

const MARKERS: ReadonlyMap<string | null, SessionMarker> = new Map([
  ['bmo', 'time-pre-market'],
  ['amc', 'time-after-hours'],
  ['dmh', 'time-during-market'],
  [null, 'time-not-supplied'],
]);

/**
 * One row of the earnings calendar. `today` is the New York date of the observation, null when
 * it is not known. Year and quarter are the company's fiscal ones; the last day of the quarter is
 * not told. Figures are the adjusted ones that consensus is made of.
 */
export function readCalendarRow(row: JsonObject, today: LocalDate | null): ParsedRow {
  const symbol = requireSymbol(row, 'symbol');
  const date = required(readWith(row, 'date', parseIsoDate), 'date');
  const fields: CalendarObservation = {
    kind: 'calendar',
    symbol,
    date,
    time: readMarker(row),
    fiscalYear: readWhole(row, 'year', 1900, 2100),
    fiscalQuarter: readWhole(row, 'quarter', 1, 4),
    epsBasis: 'adjusted',
    ...readResult(row, date, today),
    ...readConsensus(row),
  };
  const { fiscalYear, fiscalQuarter } = fields;
  const isNamed = fiscalYear != null && fiscalQuarter != null;
  const naturalKey = isNamed ? `${fiscalYear}Q${fiscalQuarter}` : `date:${date}`;
  refuseAbsurdRevenue(fields);
  return { dataset: 'earnings', subject: symbol, naturalKey, fields };
}

type Result = Pick<CalendarObservation, 'eps' | 'revenue'>;
type Consensus = Pick<CalendarObservation, 'epsEstimate' | 'revenueEstimate'>;

/**
 * The result. Zero stands for "not yet" in some answers: neither figure is believed when both are
 * zero, since a company without revenue has costs, nor one of a day that has not come. A zero
 * beside another figure is real.
 */
function readResult(row: JsonObject, date: LocalDate, today: LocalDate | null): Result {
  const eps = readNumber(row, 'epsActual');
  const revenue = readNumber(row, 'revenueActual');
  const isToday = date === today && readText(row, 'hour') === null;
  const isAhead = isToday || (today !== null && date > today);
  const isUnknown = isAhead || (eps === '0' && revenue === '0');
  const believed = (value: Decimal | null): Decimal | null =>
    isUnknown && value === '0' ? null : value;
  return {
    ...('epsActual' in row && { eps: believed(eps) }),
    ...('revenueActual' in row && { revenue: believed(revenue) }),
  };
}

/** The consensus; zero for both is the same stand-in. */
function readConsensus(row: JsonObject): Consensus {
  const eps = readNumber(row, 'epsEstimate');
  const revenue = readNumber(row, 'revenueEstimate');
  const isUnknown = eps === '0' && revenue === '0';
  return {
    ...('epsEstimate' in row && { epsEstimate: isUnknown ? null : eps }),
    ...('revenueEstimate' in row && { revenueEstimate: isUnknown ? null : revenue }),
  };
}

function readNumber(row: JsonObject, key: string): Decimal | null {
  return unlessStandIn(parseJsonNumber(Object.hasOwn(row, key) ? row[key] : null));
}

/** A whole number within bounds; 0 and null mean that it is not known. */
function readWhole(row: JsonObject, key: string, min: number, max: number): number | null {
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
