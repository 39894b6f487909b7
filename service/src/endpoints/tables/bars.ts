import { byPrecedence } from '../../datasets/bars/precedence.ts';
import { decimalToNumber } from '../../domain/decimal.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import { date, integer, named, nullable, number, symbol } from '../schema/fields.ts';
import { maybe } from '../rows/earnings-row.ts';
import { CONTENT_FINGERPRINT, defineTable } from './table.ts';

interface StoredBar {
  symbol: string;
  date: LocalDate;
  open: string | null;
  high: string | null;
  low: string | null;
  close: string;
  volume: number | null;
  basisDate: LocalDate;
  provider: string;
  feed: string;
  observedAt: Instant;
}

function bestBars(withoutSources: readonly string[]): string {
  const refused = withoutSources.map((name) => `'${name}'`).join(', ');
  const allowed = refused === '' ? 'true' : `b.provider not in (${refused})`;
  return `(select distinct on (b.symbol, b.date) b.* from price_bar b
            where b.held is null and b.close > 0 and ${allowed}
            order by b.symbol, b.date, ${byPrecedence('b')})`;
}

export const table = defineTable<StoredBar>({
  name: 'bars',
  describe:
    'Daily bars: open, high, low, close and volume of each session, in shares of `basisDate`.',
  endpoint: null,
  row: named('BarRow', {
    symbol: symbol(),
    date: date('Session.'),
    open: nullable(number('First price.')),
    high: nullable(number('Highest price.')),
    low: nullable(number('Lowest price.')),
    close: number('Official close.'),
    volume: nullable(integer('Shares traded.')),
    basisDate: date('Day whose share basis the prices and the volume have.'),
  }),
  stored: {
    select: `v.symbol, v.date, v.open, v.high, v.low, v.close, v.volume,
             v.basis_date as "basisDate", jsonb_build_object('close', jsonb_build_object(
               'provider', v.provider, 'feed', v.feed,
               'seenAt', floor(extract(epoch from v.observed_at) * 1000))) as provenance`,
    // Bars have no versions: a correction replaces the bar of its source.
    versions: null,
    current: bestBars,
    day: 'v.date',
    dayField: 'date',
    knownWithout: null,
    order: ['v.date', 'v.symbol'],
    securityId: null,
    knownFrom: 'v.observed_at',
    knownTo: 'null::timestamptz',
    fingerprint: { table: 'price_bar', value: CONTENT_FINGERPRINT },
  },
  render: (bar) => ({
    symbol: bar.symbol,
    date: bar.date,
    open: maybe(bar.open, decimalToNumber),
    high: maybe(bar.high, decimalToNumber),
    low: maybe(bar.low, decimalToNumber),
    close: decimalToNumber(bar.close),
    volume: bar.volume,
    basisDate: bar.basisDate,
  }),
});
