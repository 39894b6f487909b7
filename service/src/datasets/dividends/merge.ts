import type { MarketCalendar } from '../../domain/market/calendar.ts';
import type { Instant } from '../../platform/instant.ts';
import { changeOf, type Told } from '../changes/change-of.ts';
import { emptyMerge, type MergeContext, type MergeResult } from '../dataset.ts';
import { loadProfiles } from '../profiles/store.ts';
import { type HeldRecord, replaceHeld } from '../quarantine/store.ts';
import { type HolderAt, loadHolders } from '../securities/holders.ts';
import type { Security } from '../securities/row.ts';
import { loadLeft } from '../source-records/listed-days.ts';
import { loadHistories } from '../source-records/load.ts';
import { latest, type ObservationHistory } from '../source-records/observation-history.ts';
import { changedFacts } from '../versions/changed-facts.ts';
import { replaceVersions } from '../versions/versioned-table.ts';
import { deriveDividends } from './derive.ts';
import type { DividendObservation } from './observation.ts';
import type { Dividend } from './row.ts';
import { dividendVersions, DIVIDENDS_TOPIC, loadDividendsOfSecurities } from './store.ts';

/** Derives anew the dividends of these securities and writes what differs from what stands. */
export async function mergeDividends(
  context: MergeContext,
  securities: readonly Security[],
  goneIds: readonly string[],
  market: MarketCalendar,
): Promise<MergeResult> {
  const result = emptyMerge();
  const histories = await loadBySubject(context, securities);
  const holderOf = await loadHolders(context.tx, securities);
  const foreign = await foreignIds(context, securities);
  const ids = securities.map(({ id }) => id);
  const held: HeldRecord[] = [];
  const derived: Dividend[] = [];
  const goneAt = new Map<string, Instant>();
  const left = await loadLeft(context.tx, 'dividends', [...histories.values()].flat());
  for (const security of securities) {
    const of = deriveDividends({
      securityId: security.id,
      symbol: security.symbol,
      securityName: security.name,
      isForeign: foreign.has(security.id),
      histories: historiesOf(security, histories, holderOf),
      left,
      market,
    });
    derived.push(...of.dividends);
    for (const [id, since] of of.gone) goneAt.set(id, since);
    for (const [recordId, why] of of.held) {
      result.held.set(recordId, why);
      held.push({ recordId, owner: security.id, why });
    }
  }
  await replaceHeld(context.tx, 'dividends', [...ids, ...goneIds], held);
  await writeDifferences(context, [...ids, ...goneIds], { derived, goneAt }, result);
  return result;
}

const toldDividends: Told<Dividend> = {
  dataset: 'dividends',
  idOf: ({ id }) => id,
  symbolOf: ({ symbol }) => symbol,
  factsOf: (version) => version,
  changed: changedFacts<Dividend>,
};

async function writeDifferences(
  { tx, now }: MergeContext,
  securityIds: readonly string[],
  { derived, goneAt }: { derived: readonly Dividend[]; goneAt: ReadonlyMap<string, Instant> },
  result: MergeResult,
): Promise<void> {
  const before = await loadDividendsOfSecurities(tx, securityIds);
  const parts = { before, after: derived, changed: changedFacts<Dividend> };
  for (const difference of await replaceVersions(dividendVersions, tx, parts, now)) {
    result.topics.add(DIVIDENDS_TOPIC);
    result.changes.push(...changeOf(difference, toldDividends, goneAt));
  }
}

/** Threads of a security's symbols, where they mean it. */
function historiesOf(
  security: Security,
  histories: ReadonlyMap<string, readonly ObservationHistory<DividendObservation>[]>,
  holderOf: HolderAt,
): ObservationHistory<DividendObservation>[] {
  return security.symbols.flatMap(({ symbol }) =>
    (histories.get(symbol) ?? []).filter(
      (history) => holderOf(symbol, latest(history).fields.exDate) === security.id,
    ),
  );
}

/** Securities that pay by the rules of another market, by their profiles. */
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

async function loadBySubject(
  { tx }: MergeContext,
  securities: readonly Security[],
): Promise<Map<string, ObservationHistory<DividendObservation>[]>> {
  const symbols = securities.flatMap(({ symbols }) => symbols.map(({ symbol }) => symbol));
  const histories = await loadHistories<DividendObservation>(tx, 'dividends', symbols);
  return Map.groupBy(histories, (history) => history.subject);
}
