import type { CalendarObservation, SessionMarker } from '../../datasets/earnings/observation.ts';
import type { Feed, ParsedRow } from '../provider.ts';
import {
  claimsKind,
  date,
  decimal,
  group,
  instant,
  integer,
  parseRows,
  RowError,
  text,
} from './read.ts';
import type { Loose } from './read.ts';

/** Reports past and to come, as `CalendarBody` of `wire.ts`. */
export const calendar: Feed = {
  name: 'calendar',
  datasets: ['earnings'],
  claims: (answer) => claimsKind(answer, 'calendar'),
  parse: (answer) => parseRows(answer, 'calendar', 'earnings', readRow),
};

const MARKERS: Readonly<Record<string, SessionMarker>> = {
  pre: 'time-pre-market',
  after: 'time-after-hours',
  during: 'time-during-market',
  unknown: 'time-not-supplied',
};

function readRow(row: Loose): ParsedRow[] {
  const symbol = text(row, 'symbol');
  const fiscalYear = integer(row, 'fiscalYear');
  const fiscalQuarter = integer(row, 'fiscalQuarter');
  const estimate = group(row, 'estimate');
  const actual = group(row, 'actual');
  const yearAgo = group(row, 'yearAgo');
  const fields: CalendarObservation = {
    kind: 'calendar',
    symbol,
    name: text(row, 'name'),
    date: date(row, 'date'),
    time: marker(text(row, 'session')),
    dateStatus: text(row, 'status') === 'projected' ? 'projected' : 'confirmed',
    fiscalPeriodEnd: date(row, 'periodEnd'),
    fiscalPeriodPrecision: 'day',
    fiscalYear,
    fiscalQuarter,
    epsEstimate: estimate && decimal(estimate, 'eps'),
    revenueEstimate: estimate && decimal(estimate, 'revenue'),
    estimateCount: estimate && integer(estimate, 'analysts'),
    eps: actual && decimal(actual, 'eps'),
    revenue: actual && decimal(actual, 'revenue'),
    reportedAt: actual && instant(actual, 'at'),
    epsYearAgo: yearAgo && decimal(yearAgo, 'eps'),
    lastYearReportDate: yearAgo && date(yearAgo, 'date'),
    epsBasis: 'adjusted',
    currency: 'USD',
  };
  const naturalKey = `${fiscalYear}-Q${fiscalQuarter}`;
  return [{ dataset: 'earnings', subject: symbol, naturalKey, fields }];
}

function marker(session: string): SessionMarker {
  const found = MARKERS[session];
  if (found === undefined) throw new RowError('bad-session', `unknown session ${session}`);
  return found;
}
