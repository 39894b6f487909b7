import { dayAfter, sessionsFrom, trades } from './days.ts';
import { compare, type Exact, exactOf, over, plus, rounded, times, whole } from './exact.ts';
import type { RawBar, RawFacts, RawSplit } from './raw-facts.ts';

/**
 * A session's bar, adjusted to the share count on the requested day. `display` has the numbers as
 * responses show them.
 */
export interface Bar {
  date: string;
  open: Exact | null;
  close: Exact;
  volume: Exact | null;
  display: {
    open: number | null;
    high: number | null;
    low: number | null;
    close: number;
    volume: number | null;
  };
}

/** Returns all bars for a company, oldest first, adjusted for its splits up to `basis`. */
export function barsOf(facts: RawFacts, security: string, basis: string): Bar[] {
  const key = `${security} ${basis}`;
  const cached = facts.bySecurity.get(key);
  if (cached !== undefined) return cached;
  const bars = makeBars(facts, security, basis);
  facts.bySecurity.set(key, bars);
  return bars;
}

function makeBars(facts: RawFacts, security: string, basis: string): Bar[] {
  const raw = new Map<string, RawBar>();
  for (const name of facts.names.get(security) ?? []) {
    for (const bar of facts.barsBySymbol.get(name.symbol) ?? []) {
      if (name.from !== null && bar.date < name.from) continue;
      if (name.to !== null && bar.date > name.to) continue;
      const other = raw.get(bar.date);
      if (other === undefined || isPreferred(bar, other)) raw.set(bar.date, bar);
    }
  }
  const splits = splitsOf(facts, security).filter((split) => split.date <= basis);
  const bars: Bar[] = [];
  for (const date of [...raw.keys()].toSorted()) {
    const bar = raw.get(date);
    if (bar === undefined || compare(exactOf(bar.close), whole(0)) <= 0) continue;
    bars.push(inShares(bar, splits));
  }
  return bars;
}

/**
 * Checks whether bar `a` takes precedence over bar `b`. The operator's files come first, then dated
 * sources, then the nightly list. Within one kind, the newest bar wins.
 */
function isPreferred(a: RawBar, b: RawBar): boolean {
  if (rankOf(a) !== rankOf(b)) return rankOf(a) < rankOf(b);
  if (a.seen !== b.seen) return a.seen > b.seen;
  const [left, right] = [`${a.provider}/${a.feed}`, `${b.provider}/${b.feed}`];
  return left === right ? a.symbol < b.symbol : left < right;
}

function rankOf({ provider, feed }: RawBar): number {
  if (provider === 'files') return 0;
  return provider === 'nasdaq' && feed === 'screener' ? 2 : 1;
}

/**
 * Returns a company's splits. A split reported by several sources is included once, from the source
 * with the highest precedence.
 */
function splitsOf(facts: RawFacts, security: string): RawSplit[] {
  const names = facts.names.get(security) ?? [];
  const reported = facts.splits.filter((split) =>
    names.some(
      ({ symbol, from, to }) =>
        symbol === split.symbol &&
        (from === null || split.date >= from) &&
        (to === null || split.date <= to),
    ),
  );
  const order = ({ provider, feed, date }: RawSplit): string =>
    `${provider === 'files' ? 0 : 1} ${provider} ${feed} ${date}`;
  const current: RawSplit[] = [];
  for (const split of reported.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))) {
    const isReported = current.some((other) => {
      if (other.date === split.date) return true;
      if (other.provider === split.provider && other.feed === split.feed) return false;
      const isNear =
        dayAfter(other.date, -7) <= split.date && split.date <= dayAfter(other.date, 7);
      const isSame = other.numerator * split.denominator === split.numerator * other.denominator;
      return isNear && isSame;
    });
    if (!isReported) current.push(split);
  }
  return current;
}

function inShares(bar: RawBar, splits: readonly RawSplit[]): Bar {
  const countedUpTo = bar.basis > bar.date ? bar.basis : bar.date;
  let shares = whole(1);
  let isSplit = false;
  for (const { date, numerator, denominator } of splits) {
    if (date <= countedUpTo) continue;
    isSplit = true;
    shares = over(times(shares, whole(numerator)), whole(denominator));
  }
  const price = (text: string | null): Exact | null => {
    if (text === null || compare(exactOf(text), whole(0)) <= 0) return null;
    return over(exactOf(text), shares);
  };
  const show = (text: string | null): number | null => {
    const exact = price(text);
    if (exact === null) return null;
    return isSplit ? rounded(exact, 6) : Number(text);
  };
  const volume = bar.volume === null || bar.volume < 0 ? null : times(whole(bar.volume), shares);
  return {
    date: bar.date,
    open: price(bar.open),
    close: over(exactOf(bar.close), shares),
    volume,
    display: {
      open: show(bar.open),
      high: show(bar.high),
      low: show(bar.low),
      close: show(bar.close) ?? Number(bar.close),
      volume: volume === null ? null : rounded(volume, 0),
    },
  };
}

/**
 * Returns the mean volume over the 20 sessions up to `last`, or null if fewer than 15 have a
 * volume.
 */
export function meanVolume(bars: readonly Bar[], last: string): Exact | null {
  const first = sessionsFrom(last, -19);
  let sum = whole(0);
  let count = 0;
  for (const { date, volume } of bars) {
    if (date < first || date > last || volume === null) continue;
    sum = plus(sum, volume);
    count++;
  }
  return count < 15 ? null : over(sum, whole(count));
}

/**
 * Returns the newest day with at least half as many bars as the fullest day in the week before it.
 */
export function newestSession(facts: RawFacts): string {
  facts.newestSession ??= findNewestSession(facts);
  return facts.newestSession;
}

/** Returns the days that have any bar. */
export function daysOfBars(facts: RawFacts): Set<string> {
  facts.daysOfBars ??= new Set(facts.bars.map(({ date }) => date));
  return facts.daysOfBars;
}

function findNewestSession(facts: RawFacts): string {
  const count = new Map<string, number>();
  for (const { date } of facts.bars) count.set(date, (count.get(date) ?? 0) + 1);
  const days = [...count.keys()].toSorted().toReversed();
  const week = days.filter((date) => date >= dayAfter(days[0] ?? '', -7));
  const fullest = Math.max(...week.map((date) => count.get(date) ?? 0));
  const newest = week.find((date) => (count.get(date) ?? 0) * 2 >= fullest);
  if (newest === undefined || !trades(newest)) throw new Error('no session has bars');
  return newest;
}
