import type { MarketCalendar } from '../../domain/market/calendar.ts';
import type { Instant } from '../../platform/instant.ts';
import { changeOf, type ChangeSource } from '../changes/change-of.ts';
import { emptyMergeResult, type MergeContext, type MergeResult } from '../dataset.ts';
import { loadProfiles } from '../profiles/store.ts';
import { type QuarantinedRecord, replaceQuarantined } from '../quarantine/store.ts';
import { type HolderAt, loadHolders } from '../securities/holders.ts';
import type { Security } from '../securities/row.ts';
import { loadWithdrawals } from '../source-records/listed-days.ts';
import { loadHistories } from '../source-records/load.ts';
import { latest, type ObservationHistory } from '../source-records/observation-history.ts';
import { changedFacts } from '../versions/changed-facts.ts';
import { replaceVersions } from '../versions/versioned-table.ts';
import { deriveDividends } from './derive.ts';
import type { DividendObservation } from './observation.ts';
import type { Dividend } from './row.ts';
import { dividendVersions, DIVIDENDS_TOPIC, loadDividendsOfSecurities } from './store.ts';

/** Derives the dividends of these securities and writes the differences. */
export async function mergeDividends(
  context: MergeContext,
  securities: readonly Security[],
  removedIds: readonly string[],
  market: MarketCalendar,
): Promise<MergeResult> {
  const result = emptyMergeResult();
  const histories = await loadByEntityKey(context, securities);
  const holderOf = await loadHolders(context.tx, securities);
  const foreign = await foreignIds(context, securities);
  const ids = securities.map(({ id }) => id);
  const quarantined: QuarantinedRecord[] = [];
  const dividends: Dividend[] = [];
  const removedAt = new Map<string, Instant>();
  const withdrawals = await loadWithdrawals(
    context.tx,
    'dividends',
    [...histories.values()].flat(),
  );
  for (const security of securities) {
    const derived = deriveDividends({
      securityId: security.id,
      symbol: security.symbol,
      securityName: security.name,
      isForeign: foreign.has(security.id),
      histories: historiesOf(security, histories, holderOf),
      withdrawals,
      market,
    });
    dividends.push(...derived.dividends);
    for (const [id, at] of derived.removed) removedAt.set(id, at);
    for (const [recordId, reason] of derived.quarantined) {
      result.quarantined.set(recordId, reason);
      quarantined.push({ recordId, ownerKey: security.id, reason });
    }
  }
  await replaceQuarantined(context.tx, 'dividends', [...ids, ...removedIds], quarantined);
  await writeDifferences(context, [...ids, ...removedIds], { dividends, removedAt }, result);
  return result;
}

const dividendChangeSource: ChangeSource<Dividend> = {
  dataset: 'dividends',
  idOf: ({ id }) => id,
  symbolOf: ({ symbol }) => symbol,
  factsOf: (version) => version,
  changed: changedFacts<Dividend>,
};

async function writeDifferences(
  { tx, now }: MergeContext,
  securityIds: readonly string[],
  derived: { dividends: readonly Dividend[]; removedAt: ReadonlyMap<string, Instant> },
  result: MergeResult,
): Promise<void> {
  const before = await loadDividendsOfSecurities(tx, securityIds);
  const parts = { before, after: derived.dividends, changed: changedFacts<Dividend> };
  for (const difference of await replaceVersions(dividendVersions, tx, parts, now)) {
    result.topics.add(DIVIDENDS_TOPIC);
    result.changes.push(...changeOf(difference, dividendChangeSource, derived.removedAt));
  }
}

/** Returns the histories for a security's symbols, limited to the time it held each symbol. */
function historiesOf(
  security: Security,
  histories: ReadonlyMap<string, readonly ObservationHistory<DividendObservation>[]>,
  holderOf: HolderAt,
): ObservationHistory<DividendObservation>[] {
  return security.symbols.flatMap(({ symbol }) =>
    (histories.get(symbol) ?? []).filter((history) => {
      const { exDate, name } = latest(history).fields;
      return (holderOf(symbol, exDate, name) ?? holderOf(symbol, exDate)) === security.id;
    }),
  );
}

/**
 * Returns the ids of securities that pay under another market's rules, according to their profiles.
 */
async function foreignIds(
  { tx }: MergeContext,
  securities: readonly Security[],
): Promise<Set<string>> {
  const profiles = await loadProfiles(
    tx,
    securities.map(({ id }) => id),
  );
  const foreign = profiles.filter(({ fields: { countryCode, tags } }) => {
    return tags.includes('adr') || (countryCode !== null && countryCode !== 'US');
  });
  return new Set(foreign.map(({ securityId }) => securityId));
}

async function loadByEntityKey(
  { tx }: MergeContext,
  securities: readonly Security[],
): Promise<Map<string, ObservationHistory<DividendObservation>[]>> {
  const symbols = securities.flatMap(({ symbols }) => symbols.map(({ symbol }) => symbol));
  const histories = await loadHistories<DividendObservation>(tx, 'dividends', symbols);
  return Map.groupBy(histories, (history) => history.entityKey);
}
