import { formatInstant } from '../../platform/instant.ts';
import { copyLine, escapeCopied } from '../../storage/values/copy-line.ts';
import type { Db, Queryable } from '../../storage/db.ts';
import { sqlState } from '../../storage/errors.ts';
import { type BarCounts, type BarSource, type DatedBar, recordBars, UNPROVED } from './record.ts';

/** With fewer rows than this the look whether they are all new costs more than it saves. */
const COPIED_MIN = 200;
/** Rows of one transaction: the embedded store answers nothing while one is copied. */
const COPIED_MAX = { pglite: 4000, postgres: 20_000 };
const MERGED_MAX = 1000;
const NULL = String.raw`\N`;
const UNIQUE_VIOLATION = '23505';

const TARGET =
  'price_bar (symbol, date, provider, feed, list, basis_date, open, high, low, close, ' +
  'previous_close, volume, market_cap, held, observed_at, answer_id)';

/**
 * Keeps any number of bars in transactions of its own, with the outcome of `recordBars`: history
 * that a feed never told of is copied in as it is, several times as fast; where a bar may be known
 * already, or comes twice, row is held against row. `onMoved` gets the bars of which some moved.
 */
export async function recordManyBars(
  db: Db,
  bars: readonly DatedBar[],
  source: BarSource,
  onMoved: (moved: readonly DatedBar[]) => void,
): Promise<BarCounts> {
  const sum: BarCounts = { new: 0, changed: 0, same: 0 };
  for (let from = 0; from < bars.length; from += COPIED_MAX[db.engine]) {
    const chunk = bars.slice(from, from + COPIED_MAX[db.engine]);
    if (await copyNewGround(db, chunk, source)) {
      sum.new += chunk.length;
      onMoved(chunk);
    } else {
      await mergeRows(db, chunk, source, { sum, onMoved });
    }
  }
  return sum;
}

interface Tally {
  sum: BarCounts;
  onMoved(moved: readonly DatedBar[]): void;
}

async function mergeRows(
  db: Db,
  bars: readonly DatedBar[],
  source: BarSource,
  { sum, onMoved }: Tally,
): Promise<void> {
  for (let from = 0; from < bars.length; from += MERGED_MAX) {
    const chunk = bars.slice(from, from + MERGED_MAX);
    const counts = await db.transaction((tx) => recordBars(tx, chunk, source));
    for (const outcome of ['new', 'changed', 'same'] as const) sum[outcome] += counts[outcome];
    if (counts.new + counts.changed > 0) onMoved(chunk);
  }
}

/** False, with nothing written, when one of the bars is known or comes twice. */
async function copyNewGround(
  db: Db,
  bars: readonly DatedBar[],
  source: BarSource,
): Promise<boolean> {
  if (bars.length < COPIED_MIN) return false;
  try {
    return await db.transaction(async (tx) => {
      if (await isKnownGround(tx, bars, source)) return false;
      await tx.copy(TARGET, bars.map(lineOf(source)).join(''));
      return true;
    });
  } catch (error) {
    // Twice in this answer, or told by another process at this moment.
    if (sqlState(error) === UNIQUE_VIOLATION) return false;
    throw error;
  }
}

/** Whether the feed told of any of these symbols in the days from the first bar to the last. */
async function isKnownGround(
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
  // One row; a look-up a symbol by the primary key.
  const [row] = await db.query<{ known: boolean }>(
    `select exists (
       select from unnest($1::text[]) as s(symbol)
         join lateral (select from price_bar b
                        where b.symbol = s.symbol and b.date between $2 and $3
                          and b.provider = $4 and b.feed = $5
                        limit 1) b on true) as known`,
    [symbols, first, last, provider, feed],
  );
  return row?.known ?? true;
}

/** Only names of our own choosing can hold what COPY would misread: decimals and dates cannot. */
function lineOf({ provider, feed, list, observedAt, responseId }: BarSource) {
  const source = copyLine([provider, feed, list]).trimEnd();
  const quarantined = list === null ? null : UNPROVED;
  const end = copyLine([quarantined, formatInstant(observedAt), responseId]);
  return (bar: DatedBar): string => {
    const prices = `${bar.open ?? NULL}\t${bar.high ?? NULL}\t${bar.low ?? NULL}\t${bar.close}`;
    const rest = `${bar.previousClose ?? NULL}\t${bar.volume ?? NULL}\t${bar.marketCap ?? NULL}`;
    const symbol = escapeCopied(bar.symbol);
    return `${symbol}\t${bar.date}\t${source}\t${bar.basisDate}\t${prices}\t${rest}\t${end}`;
  };
}
