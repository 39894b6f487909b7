import type {
  CalendarObservation,
  Consensus,
  SessionMarker,
} from '../../datasets/earnings/observation.ts';
import type { JsonObject } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';
import type { Feed, ParsedRow } from '../provider.ts';
import {
  claimsKind,
  date,
  decimal,
  group,
  instant,
  integer,
  parseRows,
  symbol,
  text,
} from './read-row.ts';

/** Past and upcoming reports as `CalendarWireRow`. */
export const calendar: Feed = {
  name: 'calendar',
  datasets: ['earnings'],
  ranks: { earnings: 'simulated' },
  claims: (response) => claimsKind(response, 'calendar'),
  parse: (response) => parseRows(response, 'calendar', 'earnings', readRow),
};

const NO_TREND = {
  mean7DaysAgo: null,
  mean30DaysAgo: null,
  mean60DaysAgo: null,
  mean90DaysAgo: null,
  revisions: null,
};

const MARKERS: ReadonlyMap<string, SessionMarker> = new Map([
  ['pre', 'time-pre-market'],
  ['after', 'time-after-hours'],
  ['during', 'time-during-market'],
  ['unknown', 'time-not-supplied'],
]);

const STATUSES: ReadonlyMap<string, 'projected' | 'confirmed'> = new Map([
  ['projected', 'projected'],
  ['confirmed', 'confirmed'],
  ['reported', 'confirmed'],
]);

function readRow(row: JsonObject): ParsedRow<'earnings'> {
  const subject = symbol(row);
  const fiscalYear = integer(row, 'fiscalYear', 1900, 2101);
  const fiscalQuarter = integer(row, 'fiscalQuarter', 1, 4);
  const estimate = group(row, 'estimate');
  const actual = group(row, 'actual');
  const yearAgo = group(row, 'yearAgo');
  const fields: CalendarObservation = {
    kind: 'calendar',
    symbol: subject,
    name: text(row, 'name'),
    date: date(row, 'date'),
    time: oneOf(MARKERS, row, 'session'),
    dateStatus: oneOf(STATUSES, row, 'status'),
    fiscalPeriodEnd: date(row, 'periodEnd'),
    fiscalPeriodPrecision: 'day',
    fiscalYear,
    fiscalQuarter,
    epsEstimate: estimate && decimal(estimate, 'eps'),
    revenueEstimate: estimate && decimal(estimate, 'revenue'),
    estimateCount: estimate && integer(estimate, 'analysts', 1, 1000),
    eps: actual && decimal(actual, 'eps'),
    revenue: actual && decimal(actual, 'revenue'),
    reportedAt: actual && instant(actual, 'at'),
    callAt: row['callAt'] === null ? null : instant(row, 'callAt'),
    epsYearAgo: yearAgo && decimal(yearAgo, 'eps'),
    lastYearReportDate: yearAgo && date(yearAgo, 'date'),
    epsBasis: 'adjusted',
    currency: 'USD',
  };
  if (estimate !== null) {
    fields.epsConsensus = { ...readConsensus(estimate, 'eps'), ...NO_TREND };
    fields.revenueConsensus = readConsensus(estimate, 'revenue');
  }
  return {
    dataset: 'earnings',
    entityKey: subject,
    naturalKey: `${fiscalYear}-Q${fiscalQuarter}`,
    fields,
  };
}

/** Reads the estimates with the given prefix and their range. */
function readConsensus(estimate: JsonObject, name: 'eps' | 'revenue'): Consensus {
  return {
    mean: decimal(estimate, name),
    low: decimal(estimate, `${name}Low`),
    high: decimal(estimate, `${name}High`),
    count: integer(estimate, 'analysts', 1, 1000),
  };
}

function oneOf<T>(words: ReadonlyMap<string, T>, row: JsonObject, key: string): T {
  const value = words.get(text(row, key));
  if (value === undefined) throw new RowError('unknown-word', `${key} is an unknown word`);
  return value;
}
