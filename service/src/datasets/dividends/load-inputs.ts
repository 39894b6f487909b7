import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { loadProfiles } from '../profiles/store.ts';
import { type HolderAt, loadHolders } from '../securities/holders.ts';
import { publicIdentity } from '../securities/public-identity.ts';
import type { Security } from '../securities/row.ts';
import { loadWithdrawals } from '../source-records/listed-days.ts';
import { loadHistories } from '../source-records/load.ts';
import { latest, type ObservationHistory } from '../source-records/observation-history.ts';
import { publicHistories } from '../source-records/public-time.ts';
import type { DividendsInput } from './derive.ts';
import type { DividendObservation } from './observation.ts';

type Histories = readonly ObservationHistory<DividendObservation>[];

/**
 * Loads everything from which the securities' dividends are derived: all of it, or what was public
 * at an instant. `stored` are all histories.
 */
export async function loadDividendInputs(
  db: Queryable,
  securities: readonly Security[],
  market: MarketCalendar,
  publicAt: Instant | null = null,
): Promise<{ inputs: Map<Security, DividendsInput>; stored: Histories }> {
  const symbols = securities.flatMap((security) => security.symbols.map(({ symbol }) => symbol));
  const stored = await loadHistories<DividendObservation>(db, 'dividends', symbols);
  const histories = publicAt === null ? stored : publicHistories(stored, publicAt);
  const bySymbol = Map.groupBy(histories, ({ entityKey }) => entityKey);
  const holderOf = await loadHolders(db, securities);
  const foreign = await foreignIds(db, securities);
  const withdrawals = await loadWithdrawals(db, 'dividends', histories, publicAt);
  const inputs = securities.map((security): [Security, DividendsInput] => {
    const { symbol, name } =
      publicAt === null ? security : publicIdentity(security, newYorkDate(publicAt));
    const input = {
      securityId: security.id,
      symbol,
      securityName: name,
      isForeign: foreign.has(security.id),
      histories: historiesOf(security, bySymbol, holderOf),
      withdrawals,
      market,
    };
    return [security, input];
  });
  return { inputs: new Map(inputs), stored };
}

/** Returns the histories for a security's symbols, limited to the time it held each symbol. */
function historiesOf(
  security: Security,
  bySymbol: ReadonlyMap<string, Histories>,
  holderOf: HolderAt,
): ObservationHistory<DividendObservation>[] {
  return security.symbols.flatMap(({ symbol }) =>
    (bySymbol.get(symbol) ?? []).filter((history) => {
      const { exDate, name } = latest(history).fields;
      return (holderOf(symbol, exDate, name) ?? holderOf(symbol, exDate)) === security.id;
    }),
  );
}

/**
 * Returns the ids of securities that pay under another market's rules, according to their profiles.
 */
async function foreignIds(db: Queryable, securities: readonly Security[]): Promise<Set<string>> {
  const ids = securities.map(({ id }) => id);
  const foreign = (await loadProfiles(db, ids)).filter(({ fields: { countryCode, tags } }) => {
    return tags.includes('adr') || (countryCode !== null && countryCode !== 'US');
  });
  return new Set(foreign.map(({ securityId }) => securityId));
}
