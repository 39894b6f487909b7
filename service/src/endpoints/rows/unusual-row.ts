import { decimalToNumber, wholeToNumber } from '../../domain/decimal.ts';
import { type SessionMarker, SESSION_MARKERS } from '../../datasets/earnings/observation.ts';
import type {
  ReportDay,
  VolumeCandidate,
  VolumeCriteria,
  VolumeRow,
} from '../../domain/unusual-volume.ts';
import {
  type BodyOf,
  choice,
  date,
  instant,
  integer,
  list,
  named,
  nullable,
  number,
  percent,
  symbol,
  text,
} from '../schema/fields.ts';

const TYPES = ['equity', 'fund', 'non_equity', 'other'] as const;

export interface UnusualCandidate extends VolumeCandidate {
  securityId: string;
  name: string | null;
  type: (typeof TYPES)[number];
}

const unusualRow = named('UnusualVolumeRow', {
  symbol: symbol(),
  name: nullable(text('Issuer.')),
  type: choice(TYPES, 'Kind of security.'),
  price: number('Close of the session.'),
  changePercent: percent('Relative to the previous close.'),
  volume: integer('Shares traded.'),
  averageVolume: number("Mean of the preceding sessions, in today's shares."),
  relativeVolume: number('volume / averageVolume.'),
  volumeChangePercent: percent('(relativeVolume − 1) × 100.'),
  dollarVolume: number('volume × price.'),
  earnings: nullable(
    named('NearReport', {
      date: date('New York day of the report.'),
      time: choice(SESSION_MARKERS, 'Session of the report; never null.'),
    }),
  ),
});

const volumeCriteria = named('VolumeCriteria', {
  lookbackSessions: integer('Number of preceding sessions in the average.'),
  minRelativeVolume: number('Minimum relative volume.'),
  minPrice: number('Minimum price.'),
  minAverageVolume: number('Minimum average volume.'),
  minDollarVolume: number('Minimum volume × price.'),
  maxRows: integer('Maximum rows in each list.'),
});

export const unusualBody = named('UnusualVolume', {
  date: date('Latest session with prices.'),
  asOf: nullable(instant('Time of the newest observation that changed this response.')),
  session: choice(['final', 'intraday'], '`final` once the session is over.'),
  criteria: volumeCriteria,
  up: list(unusualRow, 'Risers, greatest relative volume first.'),
  down: list(unusualRow, 'Fallers, greatest relative volume first.'),
});

type Row = BodyOf<typeof unusualRow>;

export function renderCriteria(criteria: VolumeCriteria): BodyOf<typeof volumeCriteria> {
  return {
    lookbackSessions: criteria.lookbackSessions,
    minRelativeVolume: decimalToNumber(criteria.minRelativeVolume),
    minPrice: decimalToNumber(criteria.minPrice),
    minAverageVolume: decimalToNumber(criteria.minAverageVolume),
    minDollarVolume: decimalToNumber(criteria.minDollarVolume),
    maxRows: criteria.maxRows,
  };
}

export function renderVolumeRow(
  row: VolumeRow<UnusualCandidate>,
  report: (ReportDay & { time: SessionMarker }) | null,
): Row {
  const { symbol: ticker, name, type } = row.candidate;
  return {
    symbol: ticker,
    name,
    type,
    price: decimalToNumber(row.price),
    changePercent: decimalToNumber(row.changePercent),
    volume: row.volume,
    averageVolume: wholeToNumber(row.averageVolume),
    relativeVolume: decimalToNumber(row.relativeVolume),
    volumeChangePercent: decimalToNumber(row.volumeChangePercent),
    dollarVolume: decimalToNumber(row.dollarVolume),
    earnings: report === null ? null : { date: report.date, time: report.time },
  };
}
