import type { EarningsEvent } from '../../datasets/earnings/row.ts';
import { type Decimal, decimalToNumber, epsToNumber, wholeToNumber } from '../../domain/decimal.ts';
import { revenueSurprise } from '../../domain/surprise.ts';
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
import { alternativesField } from './alternatives.ts';
import { earningsFields, maybe, renderEarningsRow } from './earnings-row.ts';
import { epsSurpriseOf } from './earnings-surprise.ts';
import { estimateFields, renderEstimateFields } from './estimates.ts';

const outcome = nullable(choice(['beat', 'meet', 'miss'], 'Compared at the reported precision.'));

/** Surprise and estimates of a company's report, in addition to the fields that every list contains. */
export const companyFields = {
  epsSurprise: nullable(number('eps − epsEstimate; null if the two may be on different bases.')),
  epsSurprisePercent: nullable(
    percent('Relative to the absolute estimate; null below half a cent.'),
  ),
  revenueSurprise: nullable(integer('revenue − revenueEstimate.')),
  revenueSurprisePercent: nullable(
    percent('Relative to the estimate; null unless it is above zero.'),
  ),
  epsOutcome: outcome,
  revenueOutcome: outcome,
  estimateAsOf: nullable(
    instant(
      'Time at which the EPS consensus, or else the revenue consensus, was last observed before the release.',
    ),
  ),
  revenueEstimateAsOf: nullable(
    instant('Time at which the revenue consensus was last observed before the release.'),
  ),
  ...estimateFields,
  splitFactor: number('Product of the split ratios since the report; 1 without splits.'),
  sourceUrl: nullable(text('URL of the release.')),
};

/** A company's report, with the fields that every list contains, the surprise and the estimates. */
export const companyEarningsRow = named('CompanyEarningsRow', {
  ...earningsFields,
  ...companyFields,
  alternatives: alternativesField,
});

export type CompanyEarningsRow = BodyOf<typeof companyEarningsRow>;

export function renderCompanyEarnings(
  event: EarningsEvent,
  marketCap: Decimal | null,
): CompanyEarningsRow {
  const eps = epsSurpriseOf(event);
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
    ...renderEstimateFields(event),
    splitFactor: decimalToNumber(event.splitFactor),
    sourceUrl: event.sourceUrl,
  };
}
