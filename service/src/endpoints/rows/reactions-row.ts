import { SESSION_MARKERS } from '../../datasets/earnings/observation.ts';
import type { EarningsEvent } from '../../datasets/earnings/row.ts';
import { type Decimal, decimalToNumber, epsToNumber, wholeToNumber } from '../../domain/decimal.ts';
import type { EventReactions, Reaction } from '../../domain/reaction.ts';
import { REACTION_BASES } from '../../domain/release-window.ts';
import { revenueSurprise, type Surprise, yoy } from '../../domain/surprise.ts';
import {
  type BodyOf,
  choice,
  date,
  flag,
  integer,
  list,
  named,
  nullable,
  number,
  percent,
  symbol,
  text,
} from '../schema/fields.ts';
import { maybe } from './earnings-row.ts';
import { epsSurpriseOf } from './earnings-surprise.ts';

const outcome = nullable(choice(['beat', 'meet', 'miss'], 'Compared at the reported precision.'));

const metric = {
  actual: nullable(number("Reported value, on today's share basis.")),
  estimate: nullable(number('Consensus before the release.')),
  surprise: nullable(number('actual − estimate.')),
  surprisePercent: nullable(percent('Relative to the absolute estimate.')),
  yoy: nullable(percent('Relative to the same quarter a year ago.')),
  beat: nullable(flag('True if the actual exceeds the estimate at the reported precision.')),
  outcome,
};

const reaction = named('Reaction', {
  day: integer('Number of the session after the news, counting sessions with prices from 1.'),
  date: date('The session.'),
  open: nullable(number('Opening price.')),
  high: nullable(number('Highest price.')),
  low: nullable(number('Lowest price.')),
  close: number('Official close.'),
  volume: nullable(integer('Shares traded.')),
  priceChange: percent('Close relative to the previous close; on day 1 relative to `basePrice`.'),
  gapChange: nullable(percent('Open relative to `basePrice`, on day 1 only.')),
  cumulativeChange: percent('Close relative to `basePrice`.'),
  volumeRatio: nullable(number('volume / averageVolume.')),
});

export const earningsReaction = named('EarningsReaction', {
  date: date('New York day of the report.'),
  symbol: symbol(),
  name: nullable(text('Issuer.')),
  time: choice(SESSION_MARKERS, 'Session of the report; never null.'),
  fiscalYear: nullable(integer("The company's own fiscal year.")),
  fiscalQuarter: nullable(integer('Fiscal quarter, 1 to 4.')),
  eps: named('EpsResult', metric, 'Earnings per share.'),
  revenue: named('RevenueResult', metric, 'Revenue in whole units of the currency.'),
  baseDate: nullable(date('Last session before the news.')),
  basePrice: nullable(number('Close of `baseDate`.')),
  reactionBasis: choice(
    REACTION_BASES,
    'Evidence for the first session: exact release time, session marker, marker during trading ' +
      'hours, inferred from volume, or assumed to be the next.',
  ),
  averageVolume: nullable(integer('Mean volume of the 20 sessions that end on `baseDate`.')),
  priceAdjustment: choice(
    ['split'],
    'Prices and volumes are adjusted for splits, not for dividends.',
  ),
  reactions: list(reaction, 'Sessions after the news that are over, up to ten.'),
});

export type ReactionsRow = BodyOf<typeof earningsReaction>;

/**
 * Renders a report with its reactions. `yearAgo` is the report for the same quarter a year earlier,
 * if known.
 */
export function renderReactions(
  event: EarningsEvent,
  yearAgo: EarningsEvent | null,
  derived: EventReactions,
): ReactionsRow {
  const eps = epsSurpriseOf(event);
  const revenue = revenueSurprise(event.revenue, event.revenueEstimate);
  const epsYoy = yoy(event.eps, event.epsYearAgo ?? sameBasisEps(event, yearAgo));
  const revenueYoy = yoy(event.revenue, yearAgo?.revenue ?? null);
  return {
    date: event.date,
    symbol: event.symbol,
    name: event.name,
    time: event.time,
    fiscalYear: event.fiscalYear,
    fiscalQuarter: event.fiscalQuarter,
    eps: renderMetric(event.eps, event.epsEstimate, eps, epsYoy, epsToNumber),
    revenue: renderMetric(event.revenue, event.revenueEstimate, revenue, revenueYoy, wholeToNumber),
    baseDate: derived.baseDate,
    basePrice: maybe(derived.basePrice, decimalToNumber),
    reactionBasis: derived.reactionBasis,
    averageVolume: maybe(derived.averageVolume, wholeToNumber),
    priceAdjustment: 'split',
    reactions: derived.reactions.map(renderReaction),
  };
}

/** Returns the EPS of another report if it is on the same basis; otherwise null. */
function sameBasisEps({ epsBasis }: EarningsEvent, other: EarningsEvent | null): Decimal | null {
  return epsBasis !== null && other?.epsBasis === epsBasis ? other.eps : null;
}

function renderMetric(
  actual: Decimal | null,
  estimate: Decimal | null,
  { surprise, surprisePercent, outcome: compared }: Surprise,
  yearOverYear: Decimal | null,
  toNumber: (value: Decimal) => number,
): ReactionsRow['eps'] {
  return {
    actual: maybe(actual, toNumber),
    estimate: maybe(estimate, toNumber),
    surprise: maybe(surprise, toNumber),
    surprisePercent: maybe(surprisePercent, decimalToNumber),
    yoy: maybe(yearOverYear, decimalToNumber),
    beat: maybe(compared, (word) => word === 'beat'),
    outcome: compared,
  };
}

function renderReaction(day: Reaction): ReactionsRow['reactions'][number] {
  return {
    day: day.day,
    date: day.date,
    open: maybe(day.open, decimalToNumber),
    high: maybe(day.high, decimalToNumber),
    low: maybe(day.low, decimalToNumber),
    close: decimalToNumber(day.close),
    volume: day.volume,
    priceChange: decimalToNumber(day.priceChange),
    gapChange: maybe(day.gapChange, decimalToNumber),
    cumulativeChange: decimalToNumber(day.cumulativeChange),
    volumeRatio: maybe(day.volumeRatio, decimalToNumber),
  };
}
