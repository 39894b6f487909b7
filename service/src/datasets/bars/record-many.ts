import { formatInstant } from '../../platform/instant.ts';
import { copyLine, escapeCopied } from '../../storage/values/copy-line.ts';
import type { Db, Queryable } from '../../storage/db.ts';
import { sqlState } from '../../storage/errors.ts';
import { type BarCounts, type BarSource, type DatedBar, recordBars, UNVERIFIED } from './record.ts';

/**
 * Minimum number of rows for a bulk copy. With fewer rows, checking that all of them are new takes
 * longer than the copy saves.
 */
const COPIED_MIN = 200;
/**
 * Maximum number of rows to copy in one transaction. The limit is lower for the embedded database,
 * which cannot answer other queries during a copy.
 */
const COPIED_MAX = { pglite: 4000, postgres: 20_000 };
const MERGED_MAX = 1000;
const NULL = String.raw`\N`;
const UNIQUE_VIOLATION = '23505';

const TARGET =
  'price_bar (symbol, date, provider, feed, list, basis_date, open, high, low, close, ' +
  'previous_close, volume, market_cap, held, observed_at, answer_id)';

type OnChunk = (changed: readonly DatedBar[]) => void;

/**
 * Stores any number of bars in several transactions, with the same result as `recordBars`. If every
 * bar in a chunk is new for its feed, the chunk is copied, which is several times faster. If any
 * bar may already be stored or occurs twice, the chunk is merged instead. `onChange` receives each
 * chunk that contains a new or changed bar.
 */
export async function recordManyBars(
  db: Db,
  bars: readonly DatedBar[],
  source: BarSource,
  onChange: OnChunk,
): Promise<BarCounts> {
  const total: BarCounts = { new: 0, changed: 0, same: 0 };
  for (let from = 0; from < bars.length; from += COPIED_MAX[db.engine]) {
    const chunk = bars.slice(from, from + COPIED_MAX[db.engine]);
    if (await copyNewHistory(db, chunk, source)) {
      total.new += chunk.length;
      onChange(chunk);
      continue;
    }
    const counts = await mergeBars(db, chunk, source, onChange);
    for (const outcome of ['new', 'changed', 'same'] as const) total[outcome] += counts[outcome];
  }
  return total;
}

async function mergeBars(
  db: Db,
  bars: readonly DatedBar[],
  source: BarSource,
  onChange: OnChunk,
): Promise<BarCounts> {
  const total: BarCounts = { new: 0, changed: 0, same: 0 };
  for (let from = 0; from < bars.length; from += MERGED_MAX) {
    const chunk = bars.slice(from, from + MERGED_MAX);
    const counts = await db.transaction((tx) => recordBars(tx, chunk, source));
    for (const outcome of ['new', 'changed', 'same'] as const) total[outcome] += counts[outcome];
    if (counts.new + counts.changed > 0) onChange(chunk);
  }
  return total;
}

/** Returns false, without writing anything, if a bar is already stored or occurs twice. */
async function copyNewHistory(
  db: Db,
  bars: readonly DatedBar[],
  source: BarSource,
): Promise<boolean> {
  if (bars.length < COPIED_MIN) return false;
  try {
    return await db.transaction(async (tx) => {
      if (await hasStoredBars(tx, bars, source)) return false;
      await tx.copy(TARGET, bars.map(lineFormatter(source)).join(''));
      return true;
    });
  } catch (error) {
    // The bar occurs twice in this response, or another process has just stored it.
    if (sqlState(error) === UNIQUE_VIOLATION) return false;
    throw error;
  }
}

/** Returns whether the feed has any bar for these symbols between the first and last dates. */
async function hasStoredBars(
  db: Queryable,
  bars: readonly DatedBar[],
  { provider, feed }: BarSource,
): Promise<boolean> {
  const symbols = [...new Set(bars.map(({ symbol }) => symbol))];
  let [first, last] = [bars[0]?.date ?? '', ''];
  for (const { date } of bars) {
    if (date < first) first = date;
    if (date > last) last = date;
  }
  // Returns one row. Uses one primary key lookup per symbol.
  const [row] = await db.query<{ exists: boolean }>(
    `select exists (
       select from unnest($1::text[]) as s(symbol)
         join lateral (select from price_bar b
                        where b.symbol = s.symbol and b.date between $2 and $3
                          and b.provider = $4 and b.feed = $5
                        limit 1) b on true)`,
    [symbols, first, last, provider, feed],
  );
  return row?.exists ?? true;
}

/**
 * Returns a function that formats bars as COPY lines. Names and symbols are escaped; the other
 * values are numbers and dates, which need no escaping.
 */
function lineFormatter({ provider, feed, list, observedAt, responseId }: BarSource) {
  const source = copyLine([provider, feed, list]).trimEnd();
  const quarantineReason = list === null ? null : UNVERIFIED;
  const end = copyLine([quarantineReason, formatInstant(observedAt), responseId]);
  return (bar: DatedBar): string => {
    const prices = `${bar.open ?? NULL}\t${bar.high ?? NULL}\t${bar.low ?? NULL}\t${bar.close}`;
    const rest = `${bar.previousClose ?? NULL}\t${bar.volume ?? NULL}\t${bar.marketCap ?? NULL}`;
    const symbol = escapeCopied(bar.symbol);
    return `${symbol}\t${bar.date}\t${source}\t${bar.basisDate}\t${prices}\t${rest}\t${end}`;
  };
}
