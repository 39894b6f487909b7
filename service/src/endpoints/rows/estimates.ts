import type { Consensus } from '../../datasets/earnings/observation.ts';
import type {
  EarningsEstimates,
  EarningsEvent,
  Guidance,
  GuidanceRange,
  GuidanceRanges,
} from '../../datasets/earnings/row.ts';
import { epsToNumber, wholeToNumber } from '../../domain/decimal.ts';
import { formatInstant } from '../../platform/instant.ts';
import { type BodyOf, instant, integer, named, nullable, number } from '../schema/fields.ts';
import { maybe } from './earnings-row.ts';

const count = nullable(integer('Number of analysts.'));

const revisions = named('EstimateRevisions', {
  upLast7Days: nullable(integer('Estimates raised in the last 7 days.')),
  downLast7Days: nullable(integer('Estimates lowered in the last 7 days.')),
  upLast30Days: nullable(integer('Estimates raised in the last 30 days (Nasdaq: four weeks).')),
  downLast30Days: nullable(integer('Estimates lowered in the last 30 days (Nasdaq: four weeks).')),
});

const epsEstimates = named('EpsEstimates', {
  mean: nullable(number('Mean estimate of the source of `low` and `high`.')),
  low: nullable(number('Lowest estimate.')),
  high: nullable(number('Highest estimate.')),
  count,
  mean7DaysAgo: nullable(number('Mean 7 days before the estimates were observed.')),
  mean30DaysAgo: nullable(number('Mean 30 days before.')),
  mean60DaysAgo: nullable(number('Mean 60 days before.')),
  mean90DaysAgo: nullable(number('Mean 90 days before.')),
  revisions: nullable(revisions),
});

const revenueEstimates = named('RevenueEstimates', {
  mean: nullable(integer('Mean estimate in whole units of `currency`.')),
  low: nullable(integer('Lowest estimate.')),
  high: nullable(integer('Highest estimate.')),
  count,
});

const earningsEstimates = named(
  'EarningsEstimates',
  { eps: nullable(epsEstimates), revenue: nullable(revenueEstimates) },
  'The analysts’ estimates as last observed before the release. `eps` and `revenue` each come from ' +
    'one source, preferably the source of `epsEstimate` or `revenueEstimate`. EPS is on today’s ' +
    'share basis. Only a new low, high or count is a change of `estimates`: the means and ' +
    'revisions follow the calendar day.',
);

const epsRange = named('EpsRange', {
  low: number('Per share, on today’s share basis.'),
  high: number('Equal to `low` for a single figure.'),
});

const revenueRange = named('RevenueRange', {
  low: integer('In whole units of `currency`.'),
  high: integer('Equal to `low` for a single figure.'),
});

const guidanceRanges = named('GuidanceRanges', {
  eps: nullable(epsRange),
  epsAdjusted: nullable(epsRange),
  revenue: nullable(revenueRange),
});

const statedGuidance = named(
  'Guidance',
  { quarter: nullable(guidanceRanges), year: nullable(guidanceRanges) },
  'Ranges that the company expects for the next quarter and the fiscal year, as the press release ' +
    'about this report states them.',
);

/** Call, estimates and guidance of a report, in addition to the fields that every list contains. */
export const estimateFields = {
  callAt: nullable(
    instant('Start of the conference call about the results; null if no source has announced it.'),
  ),
  estimates: nullable(earningsEstimates),
  guidance: nullable(statedGuidance),
};

export function renderEstimateFields({ callAt, estimates, guidance }: EarningsEvent): {
  callAt: string | null;
  estimates: BodyOf<typeof earningsEstimates> | null;
  guidance: BodyOf<typeof statedGuidance> | null;
} {
  return {
    callAt: maybe(callAt, formatInstant),
    estimates: maybe(estimates, renderEstimates),
    guidance: maybe(guidance, renderGuidance),
  };
}

export function renderGuidance({ quarter, year }: Guidance): BodyOf<typeof statedGuidance> {
  return { quarter: maybe(quarter, renderRanges), year: maybe(year, renderRanges) };
}

function renderRanges({
  eps,
  epsAdjusted,
  revenue,
}: GuidanceRanges): BodyOf<typeof guidanceRanges> {
  const renderBounds = (toNumber: (amount: string) => number) => (range: GuidanceRange) => {
    return { low: toNumber(range.low), high: toNumber(range.high) };
  };
  return {
    eps: maybe(eps, renderBounds(epsToNumber)),
    epsAdjusted: maybe(epsAdjusted, renderBounds(epsToNumber)),
    revenue: maybe(revenue, renderBounds(wholeToNumber)),
  };
}

export function renderEstimates({
  eps,
  revenue,
}: EarningsEstimates): BodyOf<typeof earningsEstimates> {
  return {
    eps: maybe(eps, (consensus) => ({
      ...renderRange(consensus, epsToNumber),
      mean7DaysAgo: maybe(consensus.mean7DaysAgo, epsToNumber),
      mean30DaysAgo: maybe(consensus.mean30DaysAgo, epsToNumber),
      mean60DaysAgo: maybe(consensus.mean60DaysAgo, epsToNumber),
      mean90DaysAgo: maybe(consensus.mean90DaysAgo, epsToNumber),
      revisions: maybe(consensus.revisions, (counts) => ({
        upLast7Days: counts.upLast7Days,
        downLast7Days: counts.downLast7Days,
        upLast30Days: counts.upLast30Days,
        downLast30Days: counts.downLast30Days,
      })),
    })),
    revenue: maybe(revenue, (consensus) => renderRange(consensus, wholeToNumber)),
  };
}

function renderRange(
  consensus: Consensus,
  toNumber: (amount: string) => number,
): Record<'mean' | 'low' | 'high' | 'count', number | null> {
  return {
    mean: maybe(consensus.mean, toNumber),
    low: maybe(consensus.low, toNumber),
    high: maybe(consensus.high, toNumber),
    count: consensus.count,
  };
}
