import { SESSION_MARKERS } from '../../datasets/earnings/observation.ts';
import type { EarningsEvent } from '../../datasets/earnings/row.ts';
import { type Decimal, decimalToNumber } from '../../domain/decimal.ts';
import type { Mover, MoverCandidate } from '../../domain/mover.ts';
import { REACTION_BASES } from '../../domain/release-window.ts';
import { revenueSurprise } from '../../domain/surprise.ts';
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
import { maybe } from './earnings-row.ts';
import { epsSurpriseOf } from './earnings-surprise.ts';

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
    'True if the session is over and no later session can change `data`: the first session of all ' +
      'reports is settled, and the store has bars of this session and the one before, if there are ' +
      'reports.',
  ),
  asOf: nullable(instant('Time of the newest observation that changed this response.')),
  threshold: number('Minimum move, in percentage points; compared before rounding.'),
  totalReported: integer(
    'Companies whose first session after a report was that day. Reports count with or without ' +
      'results; before the session is over, only those with results.',
  ),
  unknownSession: integer(
    'Of these, companies whose session is only assumed: no release time, no session marker, and ' +
      'inconclusive volume or no results yet. Not in `data`.',
  ),
  withoutPrices: integer(
    'Of these, companies with a known session but without a close of that day, or without one in ' +
      'the last six sessions before the news. Not in `data`. A halted company is counted on the ' +
      'day it trades again.',
  ),
  data: list(moverRow, 'Largest move first, then by symbol.'),
});

type MoverRow = BodyOf<typeof moverRow>;

export function renderMover(
  mover: Mover<MoverCandidate & { event: EarningsEvent }>,
  marketCap: Decimal | null,
): MoverRow {
  const { event } = mover.candidate;
  const eps = epsSurpriseOf(event);
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
