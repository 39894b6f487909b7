import type { EarningsEvent } from '../../datasets/earnings/row.ts';
import { type Decimal, decimalToNumber } from '../../domain/decimal.ts';
import type { Mover, MoverCandidate } from '../../domain/mover.ts';
import { epsSurprise, revenueSurprise } from '../../domain/surprise.ts';
import {
  type BodyOf,
  choice,
  date,
  flag,
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
import { maybe, SESSION_MARKERS } from './earnings-row.ts';
import { REACTION_BASES } from './reactions-row.ts';

const moverRow = named('EarningsMover', {
  symbol: symbol(),
  name: nullable(text('Issuer.')),
  priceChange: percent('Close relative to `basePrice`.'),
  close: number('Close of the day.'),
  volume: nullable(integer('Shares traded that day.')),
  basePrice: number('Last close before the news.'),
  baseDate: date('Session of `basePrice`.'),
  reportDate: date('New York day of the report.'),
  time: choice(SESSION_MARKERS, 'Session of the report; never null.'),
  reactionBasis: choice(REACTION_BASES, 'Evidence for the first session; never `assumed` here.'),
  gapChange: nullable(percent('Open relative to `basePrice`.')),
  volumeRatio: nullable(number('Volume relative to the mean of the 20 sessions up to `baseDate`.')),
  epsSurprisePercent: nullable(percent('EPS relative to consensus.')),
  revenueSurprisePercent: nullable(percent('Revenue relative to consensus.')),
  marketCap: nullable(number('Latest market capitalization, as in the profile.')),
});

export const moversBody = named('EarningsMovers', {
  date: date('The session.'),
  isTradingDay: flag('True if the U.S. stock market trades on that day.'),
  final: flag(
    'Whether the session is over and no later one can change `data`: it is settled which reports ' +
      'the day answered, and the store has bars of it and of the session before, if it has reports.',
  ),
  asOf: nullable(instant('Time of the newest observation that changed this response.')),
  threshold: number('The least move, in percentage points; tested before rounding.'),
  totalReported: integer(
    'Companies whose first session after a report was that day. Reports of the calendar count with ' +
      'or without results; before the session is over, those with results only.',
  ),
  unknownSession: integer(
    'Those of them whose session is only assumed: no moment, no marker, and volume does not tell, ' +
      'or there are no results yet. Left out of `data`.',
  ),
  withoutPrices: integer(
    'Those of known session that cannot be measured: without a close of that day, or without one ' +
      'before the news that lies at most six sessions back. Left out of `data`. A halted company ' +
      'is counted on the day it trades again.',
  ),
  data: list(moverRow, 'Largest move first, then by symbol.'),
});

type MoverRow = BodyOf<typeof moverRow>;

export function renderMover(
  mover: Mover<MoverCandidate & { event: EarningsEvent }>,
  marketCap: Decimal | null,
): MoverRow {
  const { event } = mover.candidate;
  const eps = epsSurprise(event.eps, event.epsEstimate, event.splitFactor);
  const revenue = revenueSurprise(event.revenue, event.revenueEstimate);
  return {
    symbol: event.symbol,
    name: event.name,
    priceChange: decimalToNumber(mover.priceChange),
    close: decimalToNumber(mover.close),
    volume: mover.volume,
    basePrice: decimalToNumber(mover.basePrice),
    baseDate: mover.baseDate,
    reportDate: event.date,
    time: event.time,
    reactionBasis: mover.reactionBasis,
    gapChange: maybe(mover.gapChange, decimalToNumber),
    volumeRatio: maybe(mover.volumeRatio, decimalToNumber),
    epsSurprisePercent: maybe(eps.surprisePercent, decimalToNumber),
    revenueSurprisePercent: maybe(revenue.surprisePercent, decimalToNumber),
    marketCap: maybe(marketCap, decimalToNumber),
  };
}
