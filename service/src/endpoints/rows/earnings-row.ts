import { type Decimal, decimalToNumber, epsToNumber, wholeToNumber } from '../../domain/decimal.ts';
import { SESSION_MARKERS } from '../../datasets/earnings/observation.ts';
import type { EarningsEvent } from '../../datasets/earnings/row.ts';
import { formatInstant } from '../../platform/instant.ts';
import {
  type BodyOf,
  choice,
  date,
  instant,
  integer,
  named,
  nullable,
  number,
  symbol,
  text,
} from '../schema/fields.ts';
import { alternativesField } from './alternatives.ts';
import { provenanceField } from './provenance.ts';

const dateInterval = named('DateInterval', {
  from: date('First day.'),
  to: date('Last day.'),
});

const dateProjection = named(
  'DateProjection',
  {
    interval50: dateInterval,
    interval80: dateInterval,
    timeProbability: nullable(number('Probability of `time`, 0 to 1; null without a session.')),
    basis: text('Explains the day in a sentence.'),
  },
  'Set while no source names the day, so that `date` is the likeliest day by the company’s past ' +
    'reports. `interval50` and `interval80` contain the report with that probability in percent.',
);

/** Fields of an earnings report that every list of reports contains. */
export const earningsFields = {
  id: text('Stable id of the report, `ern_…`. It survives a change of date.'),
  symbol: symbol(),
  name: nullable(text('Issuer.')),
  date: date('New York day of the report.'),
  time: choice(SESSION_MARKERS, 'Session of the report; never null.'),
  dateStatus: choice(
    ['projected', 'confirmed', 'reported'],
    'Projected, confirmed by the company, or reported: the results are out, and a filing or a ' +
      'calendar confirms the day. Results can be known while the day is still projected.',
  ),
  projection: nullable(dateProjection),
  epsEstimate: nullable(
    number('Consensus EPS per share in `currency`; null if no source has one.'),
  ),
  eps: nullable(
    number(
      'Reported EPS per share in `currency`, on `epsBasis`: the figure that analysts follow, or ' +
        'else the filed EPS; null until reported.',
    ),
  ),
  epsGaap: nullable(
    number(
      'Diluted EPS as first filed, per share in `currency`; null until filed, or if filed in another ' +
        'currency.',
    ),
  ),
  revenueEstimate: nullable(integer('Consensus revenue in whole units of `currency`.')),
  revenue: nullable(integer('Reported revenue in whole units; null until reported.')),
  estimateCount: nullable(integer('Number of analysts in the EPS consensus.')),
  epsYearAgo: nullable(number('EPS of the same fiscal quarter a year ago, split-adjusted.')),
  fiscalYear: nullable(integer("The company's own fiscal year.")),
  fiscalQuarter: nullable(integer('Fiscal quarter, 1 to 4.')),
  fiscalPeriodEnd: nullable(
    date(
      'Last day of the fiscal period: as filed, or by the rule of the company’s earlier quarters. ' +
        'Null if no source names the period.',
    ),
  ),
  epsBasis: nullable(
    choice(
      ['gaap', 'adjusted', 'ffo'],
      'Accounting basis of `eps`, or of `epsEstimate` before the report. Known if a source states ' +
        'it, or if filings show that the figures equal the filed EPS or differ from it; else null.',
    ),
  ),
  currency: text('ISO 4217.'),
  reportedAt: nullable(instant('Time of the release; for U.S. filers, SEC acceptance of the 8-K.')),
  marketCap: nullable(number('Market capitalization, as in the profile; null with `asOf`.')),
  updatedAt: instant('Time of the last observed change of any other field.'),
  provenance: provenanceField,
};

/**
 * Maps provenance names to the response fields they cover, for names that differ from their fields.
 */
export const EARNINGS_SOURCES = { fiscalYear: ['fiscalYear', 'fiscalQuarter'] };

export const earningsRow = named('EarningsRow', {
  ...earningsFields,
  alternatives: alternativesField,
});

export type EarningsRow = BodyOf<typeof earningsRow>;

export function renderEarningsRow(event: EarningsEvent, marketCap: Decimal | null): EarningsRow {
  return {
    id: event.id,
    symbol: event.symbol,
    name: event.name,
    date: event.date,
    time: event.time,
    dateStatus: event.dateStatus,
    projection: event.projection,
    epsEstimate: maybe(event.epsEstimate, epsToNumber),
    eps: maybe(event.eps, epsToNumber),
    epsGaap: maybe(event.epsGaap, epsToNumber),
    revenueEstimate: maybe(event.revenueEstimate, wholeToNumber),
    revenue: maybe(event.revenue, wholeToNumber),
    estimateCount: event.estimateCount,
    epsYearAgo: maybe(event.epsYearAgo, epsToNumber),
    fiscalYear: event.fiscalYear,
    fiscalQuarter: event.fiscalQuarter,
    fiscalPeriodEnd: event.fiscalPeriodEnd,
    epsBasis: event.epsBasis,
    currency: event.currency,
    reportedAt: maybe(event.reportedAt, formatInstant),
    marketCap: maybe(marketCap, decimalToNumber),
    updatedAt: formatInstant(event.updatedAt),
  };
}

export function maybe<From, To>(value: From | null, convert: (value: From) => To): To | null {
  return value === null ? null : convert(value);
}
