import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { emptyMerge } from '../dataset.ts';
import type { MergeContext, MergeResult } from '../dataset.ts';
import { loadProfiles } from '../profiles/store.ts';
import { replaceHeld } from '../quarantine/store.ts';
import { loadHolders } from '../securities/holders.ts';
import type { HolderAt } from '../securities/holders.ts';
import type { Security } from '../securities/row.ts';
import { canonicalJson } from '../source-records/canonical-json.ts';
import { loadThreads } from '../source-records/load.ts';
import { latest } from '../source-records/thread.ts';
import type { Thread } from '../source-records/thread.ts';
import { deriveDividends } from './derive.ts';
import type { DividendObservation } from './observation.ts';
import type { Dividend } from './row.ts';
import {
  closeDividends,
  DIVIDENDS_TOPIC,
  insertDividends,
  loadDividendsOfSecurities,
  renewDividends,
} from './store.ts';

/** Derives anew the dividends of these securities and writes what differs from what stands. */
export async function mergeDividends(
  context: MergeContext,
  securities: readonly Security[],
  goneIds: readonly string[],
  market: MarketCalendar,
): Promise<MergeResult> {
  const result = emptyMerge();
  const threads = await loadBySubject(context, securities);
  const holderOf = await loadHolders(context.tx, securities);
  const foreign = await foreignIds(context, securities);
  const ids = securities.map(({ id }) => id);
  const held: Parameters<typeof replaceHeld>[3][number][] = [];
  const derived: Dividend[] = [];
  for (const security of securities) {
    const of = deriveDividends({
      securityId: security.id,
      symbol: security.symbol,
      securityName: security.name,
      isForeign: foreign.has(security.id),
      threads: threadsOf(security, threads, holderOf),
      market,
    });
    derived.push(...of.dividends);
    for (const [recordId, why] of of.held) {
      result.held.set(recordId, why);
      held.push({ recordId, owner: security.id, why });
    }
  }
  await replaceHeld(context.tx, 'dividends', [...ids, ...goneIds], held);
  await writeDifferences(context, [...ids, ...goneIds], derived, result);
  return result;
}

async function writeDifferences(
  { tx, now }: MergeContext,
  securityIds: readonly string[],
  derived: readonly Dividend[],
  result: MergeResult,
): Promise<void> {
  const standing = await loadDividendsOfSecurities(tx, securityIds);
  const before = new Map(standing.map((dividend) => [dividend.id, dividend]));
  const fresh: Dividend[] = [];
  const renewed: Dividend[] = [];
  for (const dividend of derived) {
    const old = before.get(dividend.id);
    before.delete(dividend.id);
    const changedFields = differing(old, dividend);
    if (old === undefined || changedFields.length > 0) {
      fresh.push(dividend);
      result.changes.push({
        dataset: 'dividends',
        entityId: dividend.id,
        symbol: dividend.symbol,
        changedFields,
        observedAt: dividend.updatedAt,
      });
    } else if (
      old.updatedAt !== dividend.updatedAt ||
      canonicalJson(old.provenance) !== canonicalJson(dividend.provenance)
    ) {
      renewed.push(dividend);
    }
  }
  if (fresh.length + renewed.length + before.size > 0) result.topics.add(DIVIDENDS_TOPIC);
  await closeDividends(tx, [...fresh.map(({ id }) => id), ...before.keys()], now);
  await insertDividends(tx, fresh, now);
  await renewDividends(tx, renewed);
}

/** Names of the facts in which two versions differ; for a first version, every known fact. */
function differing(before: Dividend | undefined, after: Dividend): string[] {
  const { id: _id, provenance: _sources, updatedAt: _at, ...facts } = after;
  return Object.entries(facts).flatMap(([field, value]) => {
    const old: unknown = before === undefined ? null : Reflect.get(before, field);
    return canonicalJson(old ?? null) === canonicalJson(value) ? [] : [field];
  });
}

/** Threads of a security's symbols, where they mean it. */
function threadsOf(
  security: Security,
  threads: ReadonlyMap<string, readonly Thread<DividendObservation>[]>,
  holderOf: HolderAt,
): Thread<DividendObservation>[] {
  return security.symbols.flatMap(({ symbol }) =>
    (threads.get(symbol) ?? []).filter(
      (thread) => holderOf(symbol, latest(thread).fields.exDate) === security.id,
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
): Promise<Map<string, Thread<DividendObservation>[]>> {
  const symbols = securities.flatMap(({ symbols }) => symbols.map(({ symbol }) => symbol));
  const threads = await loadThreads<DividendObservation>(tx, 'dividends', symbols);
  return Map.groupBy(threads, (thread) => thread.subject);
}
