import type { CalendarObservation, SessionMarker } from '../../datasets/earnings/observation.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { parseIsoDate } from '../../domain/dirty-date.ts';
import { parseJsonNumber, unlessStandIn } from '../../domain/dirty-number.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { readText, readWith, required } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { rejectAbsurdRevenue } from '../kit/absurd-revenue.ts';
import { RowError } from '../kit/row-error.ts';
import { observationDate, withoutZeroSentinels } from '../kit/zero-sentinels.ts';
import type { ParsedRow, ParseResult, SourceResponse } from '../provider.ts';
import { readList } from './response-body.ts';
import { listedEntityKey, requireListedSymbol } from './listed-symbol.ts';

/** Only the older API includes the session. */
const MARKERS: ReadonlyMap<string | null, SessionMarker> = new Map([
  ['bmo', 'time-pre-market'],
  ['amc', 'time-after-hours'],
  ['dmh', 'time-during-market'],
  [null, 'time-not-supplied'],
]);

/**
 * Parses the reports in a response. Calendars and lists for one company have the same row format.
 */
export function parseEarnings(response: SourceResponse): ParseResult {
  const today = observationDate(response);
  return readRows({
    dataset: 'earnings',
    rows: readList(response),
    entityKeyOf: listedEntityKey,
    read: (row) => readRow(row, today),
  });
}

/**
 * Reads a report and keys it by date, because rows have no fiscal period, currency or EPS basis.
 * `lastUpdated` is when the source edited the row, not when the company reported. The older API
 * calls the results `eps` and `revenue`; its `fiscalDateEnding` is ignored, since it may be in the
 * month after the quarter ends.
 */
function readRow(row: JsonObject, today: LocalDate | null): ParsedRow<'earnings'> {
  const symbol = requireListedSymbol(row);
  const date = required(readWith(row, 'date', parseIsoDate), 'date');
  const rawFields: CalendarObservation = { kind: 'calendar', symbol, date, time: readMarker(row) };
  const [epsKey, revenueKey] = 'eps' in row ? ['eps', 'revenue'] : ['epsActual', 'revenueActual'];
  if (epsKey in row) rawFields.eps = readNumber(row, epsKey);
  if ('epsEstimated' in row) rawFields.epsEstimate = readNumber(row, 'epsEstimated');
  if (revenueKey in row) rawFields.revenue = readNumber(row, revenueKey);
  if ('revenueEstimated' in row) rawFields.revenueEstimate = readNumber(row, 'revenueEstimated');
  const fields = withoutZeroSentinels(rawFields, today);
  rejectAbsurdRevenue(fields);
  return { dataset: 'earnings', entityKey: symbol, naturalKey: `date:${date}`, fields };
}

function readMarker(row: JsonObject): SessionMarker {
  const word = readText(row, 'time');
  const marker = MARKERS.get(word);
  if (marker !== undefined) return marker;
  throw new RowError('bad-marker', `time is ${JSON.stringify(word)}`.slice(0, 100));
}

function readNumber(row: JsonObject, key: string): Decimal | null {
  return unlessStandIn(parseJsonNumber(Object.hasOwn(row, key) ? row[key] : null));
}
