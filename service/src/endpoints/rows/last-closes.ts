import { type LastBar, loadLastBars } from '../../datasets/bars/last-bars.ts';
import { toCommonBasis } from '../../datasets/bars/common-basis.ts';
import { type CountedShares, loadShares } from '../../datasets/profiles/store.ts';
import { loadQuotes, type Quote } from '../../datasets/quotes/store.ts';
import { loadSplits } from '../../datasets/splits/store.ts';
import type { PriceSplit } from '../../domain/daily-bar.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { fractionOf, multiplyFractions, roundFraction } from '../../domain/fraction.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { closeAt } from '../../domain/market/market-day.ts';
import { loadInSlices } from '../../platform/slices.ts';
import type { Queryable } from '../../storage/db.ts';

/** Maximum number of past sessions in which to search for the last close. */
export const SESSIONS_BACK = 45;

const SECURITIES_PER_QUERY = 50;

/** A company's price and market capitalization. They are the same in every response. */
export interface LastClose {
  /**
   * Last official close, adjusted to today's shares, or the newest quote if the store has no bar
   * for the security.
   */
  price: Decimal | null;
  priceDate: LocalDate | null;
  marketCap: Decimal | null;
}

/** A security and the symbol that price lists use for it. */
interface ListedSecurity {
  securityId: string;
  symbol: string;
}

/**
 * Loads the last close and market capitalization for each security. Uses the market capitalization
 * from a price list if it is newer than the close. Otherwise, multiplies the close by the shares of
 * all classes or, if the shares are unknown, uses the older market capitalization from the price
 * list.
 */
export async function loadLastCloses(
  db: Queryable,
  securities: readonly ListedSecurity[],
  options: { today: LocalDate; market: MarketCalendar },
): Promise<Map<string, LastClose>> {
  const load = (slice: readonly ListedSecurity[]) => loadSlice(db, slice, options);
  return new Map(await loadInSlices(securities, SECURITIES_PER_QUERY, load));
}

async function loadSlice(
  db: Queryable,
  securities: readonly ListedSecurity[],
  { today, market }: { today: LocalDate; market: MarketCalendar },
): Promise<Map<string, LastClose>> {
  const symbols = new Map(securities.map(({ securityId, symbol }) => [securityId, symbol]));
  const ids = [...symbols.keys()];
  const quotes = await loadQuotes(db, [...new Set(symbols.values())]);
  const from = market.addTradingDays(today, -SESSIONS_BACK);
  const bars = await loadLastBars(db, ids, { from, to: today });
  const quoteOf = (id: string): Quote | undefined => quotes.get(symbols.get(id) ?? '');
  const uncapped = ids.filter((id) => !isQuoteCurrent(quoteOf(id), bars.get(id), market));
  const shares = await loadShares(db, uncapped);
  const splits = await loadSplits(db, [...new Set([...bars.keys(), ...shares.keys()])]);
  return new Map(
    ids.map((id) => {
      const passed = (splits.get(id) ?? []).filter(({ date }) => date <= today);
      const [quote, bar] = [quoteOf(id), bars.get(id)];
      const price = priceOf(quote, bar, { splits: passed, today });
      const derived = marketCapOf(price.price, shares.get(id), passed);
      return [id, { ...price, marketCap: derived ?? quote?.marketCap ?? null }];
    }),
  );
}

/** Returns true if the price list was observed after the last close, or if no close is known. */
function isQuoteCurrent(
  quote: Quote | undefined,
  bar: LastBar | undefined,
  market: MarketCalendar,
) {
  if (quote?.marketCap == null) return false;
  const closedAt = bar === undefined ? null : closeAt(market.day(bar.date));
  return closedAt === null || (quote.marketCapSeenAt ?? 0) >= closedAt;
}

function priceOf(
  quote: Quote | undefined,
  bar: LastBar | undefined,
  { splits, today }: { splits: readonly PriceSplit[]; today: LocalDate },
): Pick<LastClose, 'price' | 'priceDate'> {
  if (bar === undefined) {
    return { price: quote?.price ?? null, priceDate: quote?.priceDate ?? null };
  }
  const [close] = toCommonBasis([{ ...CLOSE_ALONE, ...bar }], splits, today);
  return { price: close?.close ?? null, priceDate: bar.date };
}

const CLOSE_ALONE = { open: null, high: null, low: null, volume: null };

/**
 * Multiplies the price by the number of shares in all classes, adjusted for splits since the shares
 * were counted.
 */
function marketCapOf(
  price: Decimal | null,
  shares: CountedShares | undefined,
  splits: readonly PriceSplit[],
): Decimal | null {
  if (price === null || shares === undefined) return null;
  const { count, countedOn } = shares;
  const later = splits.filter(({ date }) => countedOn !== null && date > countedOn);
  const marketCap = later.reduce(
    (value, { ratio: { numerator, denominator } }) =>
      multiplyFractions(value, { numerator: BigInt(numerator), denominator: BigInt(denominator) }),
    multiplyFractions(fractionOf(price), fractionOf(count)),
  );
  return roundFraction(marketCap, 0);
}
