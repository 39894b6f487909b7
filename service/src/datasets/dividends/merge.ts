import { topics } from '../topics.gen.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import type { Instant } from '../../platform/instant.ts';
import { changeOf, type ChangeSource } from '../changes/change-of.ts';
import { emptyMergeResult, type MergeContext, type MergeResult } from '../dataset.ts';
import { type QuarantinedRecord, replaceQuarantined } from '../quarantine/store.ts';
import type { Security } from '../securities/row.ts';
import { changedFacts } from '../versions/changed-facts.ts';
import { replaceVersions } from '../versions/versioned-table.ts';
import { deriveDividends } from './derive.ts';
import { loadDividendInputs } from './load-inputs.ts';
import type { Dividend } from './row.ts';
import { dividendVersions, loadDividendsOfSecurities } from './store.ts';

/** Derives the dividends of these securities and writes the differences. */
export async function mergeDividends(
  context: MergeContext,
  securities: readonly Security[],
  removedIds: readonly string[],
  market: MarketCalendar,
): Promise<MergeResult> {
  const result = emptyMergeResult();
  const ids = securities.map(({ id }) => id);
  const quarantined: QuarantinedRecord[] = [];
  const dividends: Dividend[] = [];
  const removedAt = new Map<string, Instant>();
  const { inputs } = await loadDividendInputs(context.tx, securities, market);
  for (const [security, input] of inputs) {
    const derived = deriveDividends(input);
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
    result.topics.add(topics.dividends.any);
    result.changes.push(...changeOf(difference, dividendChangeSource, derived.removedAt));
  }
}
