import type { CalendarObservation } from '../../datasets/earnings/observation.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { parseIsoDate } from '../../domain/dirty-date.ts';
import { parseJsonNumber, unlessStandIn } from '../../domain/dirty-number.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { readWith, required } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import { refuseAbsurdRevenue } from '../kit/refuse-absurd-revenue.ts';
import { refuseConflicts } from '../kit/refuse-conflicts.ts';
import { dayObserved, withoutZeroStandIns } from '../kit/zero-stand-ins.ts';
import type { Answer, Parsed, ParsedRow } from '../provider.ts';
import { readList } from './answer-body.ts';
import { listedSubject, requireListedSymbol } from './listed-symbol.ts';

/** The reports in an answer: the calendar and the list of one company have the same rows. */
export function parseEarnings(answer: Answer): Parsed {
  const today = dayObserved(answer);
  const parsed = readRows({
    dataset: 'earnings',
    rows: readList(answer),
    subjectOf: listedSubject,
    read: (row) => readRow(row, today),
  });
  return refuseConflicts(parsed);
}

/**
 * A row names neither session, fiscal period, currency nor the basis of its EPS, so it is known by
 * its day. `lastUpdated` is when the source touched it, not when the report came.
 */
function readRow(row: JsonObject, today: LocalDate | null): ParsedRow {
  const symbol = requireListedSymbol(row);
  const date = required(readWith(row, 'date', parseIsoDate), 'date');
  const said: CalendarObservation = { kind: 'calendar', symbol, date, time: 'time-not-supplied' };
  if ('epsActual' in row) said.eps = readNumber(row, 'epsActual');
  if ('epsEstimated' in row) said.epsEstimate = readNumber(row, 'epsEstimated');
  if ('revenueActual' in row) said.revenue = readNumber(row, 'revenueActual');
  if ('revenueEstimated' in row) said.revenueEstimate = readNumber(row, 'revenueEstimated');
  const fields = withoutZeroStandIns(said, today);
  refuseAbsurdRevenue(fields);
  return { dataset: 'earnings', subject: symbol, naturalKey: `date:${date}`, fields };
}

function readNumber(row: JsonObject, key: string): Decimal | null {
  return unlessStandIn(parseJsonNumber(Object.hasOwn(row, key) ? row[key] : null));
}
