import type { EarningsEvent } from '../../datasets/earnings/row.ts';
import { type Decimal, decimalToNumber, epsToNumber, wholeToNumber } from '../../domain/decimal.ts';
import { epsSurprise, revenueSurprise } from '../../domain/surprise.ts';
import { formatInstant } from '../../platform/instant.ts';
import {
  type BodyOf,
  choice,
  instant,
  integer,
  named,
  nullable,
  number,
  percent,
  text,
} from '../schema/fields.ts';
import { earningsFields, maybe, renderEarningsRow } from './earnings-row.ts';

const outcome = nullable(choice(['beat', 'meet', 'miss'], 'At the precision reported.'));

/** What a report of a company has beside the fields of every list of reports. */
export const surpriseFields = {
  epsSurprise: nullable(number('eps − epsEstimate.')),
  epsSurprisePercent: nullable(percent('Of the absolute estimate; null under half a cent.')),
  revenueSurprise: nullable(integer('revenue − revenueEstimate.')),
  revenueSurprisePercent: nullable(percent('Of an estimate above zero.')),
  epsOutcome: outcome,
  revenueOutcome: outcome,
  estimateAsOf: nullable(
    instant('When the consensus of EPS, else that of revenue, was last seen before the release.'),
  ),
  revenueEstimateAsOf: nullable(
    instant('When the consensus of revenue was last seen before the release.'),
  ),
  splitFactor: number('Product of the splits since the report; 1 if none.'),
  sourceUrl: nullable(text('Where the release can be read.')),
};

/** A report of a company: the row of every list of reports, and the surprise. */
export const companyEarningsRow = named('CompanyEarningsRow', {
  ...earningsFields,
  ...surpriseFields,
});

export type CompanyEarningsRow = BodyOf<typeof companyEarningsRow>;

export function renderCompanyEarnings(
  event: EarningsEvent,
  marketCap: Decimal | null,
): CompanyEarningsRow {
  const eps = epsSurprise(event.eps, event.epsEstimate, event.splitFactor);
  const revenue = revenueSurprise(event.revenue, event.revenueEstimate);
  return {
    ...renderEarningsRow(event, marketCap),
    epsSurprise: maybe(eps.surprise, epsToNumber),
    epsSurprisePercent: maybe(eps.surprisePercent, decimalToNumber),
    revenueSurprise: maybe(revenue.surprise, wholeToNumber),
    revenueSurprisePercent: maybe(revenue.surprisePercent, decimalToNumber),
    epsOutcome: eps.outcome,
    revenueOutcome: revenue.outcome,
    estimateAsOf: maybe(event.estimateAsOf, formatInstant),
    revenueEstimateAsOf: maybe(event.revenueEstimateAsOf, formatInstant),
    splitFactor: decimalToNumber(event.splitFactor),
    sourceUrl: event.sourceUrl,
  };
}
