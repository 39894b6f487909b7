import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import { barTopics } from '../bars/topics.ts';
import { changeOf } from '../changes/change-of.ts';
import {
  emptyMergeResult,
  type QuarantineReason,
  type MergeContext,
  type MergeResult,
} from '../dataset.ts';
import { type QuarantinedRecord, replaceQuarantined } from '../quarantine/store.ts';
import { filersOf, type Security } from '../securities/row.ts';
import { type FiledSplit, recordFiledSplits } from '../splits/filed-splits.ts';
import { filerKey } from '../source-records/entity-keys.ts';
import { type ObservationHistory, recordIds } from '../source-records/observation-history.ts';
import { replaceVersions, versionsIn } from '../versions/versioned-table.ts';
import { changedFields, earningsChangeSource, topicsOf } from './changes.ts';
import { deriveEarnings } from './derive.ts';
import { type Company, loadCompanies, loadInputs } from './load-inputs.ts';
import type { EarningsObservation } from './observation.ts';
import type { EarningsEvent } from './row.ts';
import { earningsVersions, loadEarningsOfSecurities } from './store.ts';

export interface EarningsMergeInput {
  /** All affected securities, with all their symbols. */
  securities: readonly Security[];
  /** All affected filers. Some may have no listed security yet. */
  ciks: readonly string[];
  /** Ids of removed securities. Their events are closed. */
  removedIds: readonly string[];
  market: MarketCalendar;
}

/** Derives the earnings of these securities and writes the differences. */
export async function mergeEarnings(
  context: MergeContext,
  { securities, ciks, removedIds, market }: EarningsMergeInput,
): Promise<MergeResult> {
  const { tx, now } = context;
  const { companies, byEntityKey } = await loadCompanies(tx, securities, { ciks });
  const result = emptyMergeResult();
  const ids = [...securities.map(({ id }) => id), ...removedIds];
  // Must run before the other splits are loaded, because prices may date the splits that filings
  // reveal.
  const splitSymbols = await recordFiledSplits(tx, ids, companies.flatMap(toFiledSplits), market);
  if (splitSymbols.length > 0) result.topics = new Set(barTopics(splitSymbols));
  const quarantined: QuarantinedRecord[] = [];
  const events: EarningsEvent[] = [];
  const removedAt = new Map<string, Instant>();
  const query = { today: newYorkDate(now), market };
  for (const { input, company } of await loadInputs(tx, companies, query)) {
    const derived = deriveEarnings(input);
    events.push(...derived.events);
    for (const [id, at] of derived.removed) removedAt.set(id, at);
    for (const [recordId, reason] of derived.quarantined) {
      // Rows about another class are judged with that class.
      if (company.sharedRecordIds.has(recordId)) continue;
      quarantined.push({ recordId, ownerKey: input.securityId, reason });
    }
    for (const recordId of company.foreign.flatMap((history) => [...recordIds(history)])) {
      quarantined.push({ recordId, ownerKey: input.securityId, reason: OTHER_COMPANY });
    }
  }
  quarantined.push(...filersWithoutSecurity(securities, ciks, byEntityKey));
  for (const { recordId, reason } of quarantined) result.quarantined.set(recordId, reason);
  await replaceQuarantined(tx, 'earnings', [...ids, ...ciks], quarantined);
  await writeDifferences(context, ids, { events, removedAt }, result);
  return result;
}

function toFiledSplits({ security, filedSplits: splits }: Company): FiledSplit[] {
  return splits.map(({ source, ...split }) => ({ ...split, ...source, securityId: security.id }));
}

async function writeDifferences(
  { tx, now }: MergeContext,
  securityIds: readonly string[],
  derived: { events: readonly EarningsEvent[]; removedAt: ReadonlyMap<string, Instant> },
  result: MergeResult,
): Promise<void> {
  const before = await loadEarningsOfSecurities(tx, securityIds);
  const parts = { before, after: derived.events, changed: changedFields };
  for (const difference of await replaceVersions(earningsVersions, tx, parts, now)) {
    result.changes.push(...changeOf(difference, earningsChangeSource, derived.removedAt));
    for (const event of versionsIn(difference)) {
      for (const topic of topicsOf(event)) result.topics.add(topic);
    }
  }
}

const OTHER_COMPANY: QuarantineReason = {
  reason: 'other-company',
  detail: 'the row names a company that never had the symbol',
};

const NO_LISTED_SYMBOL: QuarantineReason = {
  reason: 'no-listed-symbol',
  detail: 'no list names a symbol of this filer',
};

/** Returns the records of filers without a security that reports earnings. */
function filersWithoutSecurity(
  securities: readonly Security[],
  ciks: readonly string[],
  histories: ReadonlyMap<string, readonly ObservationHistory<EarningsObservation>[]>,
): QuarantinedRecord[] {
  const reporting = new Set(securities.filter(({ reports }) => reports).flatMap(filersOf));
  return ciks
    .filter((cik) => !reporting.has(cik))
    .flatMap((cik) =>
      (histories.get(filerKey(cik)) ?? [])
        .flatMap((history) => [...recordIds(history)])
        .map((recordId) => ({ recordId, ownerKey: cik, reason: NO_LISTED_SYMBOL })),
    );
}
