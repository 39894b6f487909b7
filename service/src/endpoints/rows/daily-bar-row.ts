import type { SourcedBar } from '../../datasets/bars/daily-bars.ts';
import type { DailyBar } from '../../domain/daily-bar.ts';
import { decimalToNumber } from '../../domain/decimal.ts';
import { factorOfSplits } from '../../domain/share-splits.ts';
import { type BodyOf, date, integer, named, nullable, number, symbol } from '../schema/fields.ts';
import { maybe } from './earnings-row.ts';
import { provenanceField, renderSource } from './provenance.ts';
import { exampleCompany } from './example-company.ts';

const prices = {
  open: nullable(number('First price; null from a source of closes alone.')),
  high: nullable(number('Highest price; null from a source of closes alone.')),
  low: nullable(number('Lowest price; null from a source of closes alone.')),
  close: number('Last price.'),
  volume: nullable(integer('Shares traded.')),
};

/** A session of one security. Prices are in U.S. dollars. */
export const dailyBar = named('DailyBar', {
  symbol: symbol(),
  date: date('The session.'),
  ...prices,
  splitFactor: number('Product of splits since the session, 1 if none.'),
  asTraded: named(
    'BarAsTraded',
    prices,
    'The same in shares of the session. Computed from `splitFactor` if the source had adjusted it.',
  ),
  provenance: provenanceField,
});

export type DailyBarRow = BodyOf<typeof dailyBar>;

export function renderDailyBar(
  { adjusted, asTraded, splits }: SourcedBar,
  ticker: string,
): DailyBarRow {
  return {
    symbol: ticker,
    date: adjusted.date,
    ...renderPrices(adjusted),
    splitFactor: decimalToNumber(factorOfSplits(splits)),
    asTraded: renderPrices(asTraded),
  };
}

function renderPrices({ open, high, low, close, volume }: DailyBar): DailyBarRow['asTraded'] {
  return {
    open: maybe(open, decimalToNumber),
    high: maybe(high, decimalToNumber),
    low: maybe(low, decimalToNumber),
    close: decimalToNumber(close),
    volume,
  };
}

/** Adds the source of a bar, which is the same for all its fields. */
export function withBarSource(row: DailyBarRow, bar: SourcedBar, url: string | null): DailyBarRow {
  const source = renderSource(bar, url);
  const { open, high, low, close, volume } = row;
  const known = Object.entries({ open, high, low, close, volume }).filter(
    ([, value]) => value !== null,
  );
  return { ...row, provenance: Object.fromEntries(known.map(([name]) => [name, source])) };
}

/** A fictional session before a split of two for one, for the API description. */
export const dailyBarExample: DailyBarRow = {
  symbol: exampleCompany.symbol,
  date: '2026-11-20',
  open: 71.05,
  high: 72.4,
  low: 70.7,
  close: 71.175,
  volume: 2500000,
  splitFactor: 2,
  asTraded: { open: 142.1, high: 144.8, low: 141.4, close: 142.35, volume: 1250000 },
};
