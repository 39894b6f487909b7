import { compareText } from '../../platform/compare.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import type { ProfileObservation } from '../profiles/observation.ts';
import { loadHistories } from '../source-records/load.ts';

/** The first and last time at which something was seen. */
export interface Period {
  from: Instant;
  to: Instant;
}

/** A company name that sources gave for a symbol, with its period in all feeds and in each. */
export interface SymbolName extends Period {
  symbol: string;
  name: string;
  byFeed: ReadonlyMap<string, Period>;
}

/** Loads the company names of symbols from the profiles of all sources, oldest first. */
export async function loadSymbolNames(
  db: Queryable,
  symbols: readonly string[],
): Promise<SymbolName[]> {
  const histories = await loadHistories<ProfileObservation>(db, 'profiles', symbols);
  const names = new Map<string, { symbol: string; name: string; byFeed: Map<string, Period> }>();
  for (const { entityKey: symbol, provider, feed, observations } of histories) {
    for (const { at, fields } of observations) {
      const name = fields.companyName?.trim();
      if (name === undefined || name === '' || at <= 0) continue;
      const key = `${symbol}\n${name}`;
      const entry = names.get(key) ?? { symbol, name, byFeed: new Map<string, Period>() };
      const { from, to } = entry.byFeed.get(`${provider}/${feed}`) ?? { from: at, to: at };
      entry.byFeed.set(`${provider}/${feed}`, { from: Math.min(from, at), to: Math.max(to, at) });
      names.set(key, entry);
    }
  }
  return [...names.values()]
    .map((entry) => ({ ...entry, ...unionOf([...entry.byFeed.values()]) }))
    .toSorted(oldestFirst);
}

export function oldestFirst(a: SymbolName, b: SymbolName): number {
  return a.from - b.from || compareText(a.name, b.name) || compareText(a.symbol, b.symbol);
}

function unionOf(periods: readonly Period[]): Period {
  return {
    from: Math.min(...periods.map(({ from }) => from)),
    to: Math.max(...periods.map(({ to }) => to)),
  };
}
