import type { LocalDate } from '../../domain/local-date.ts';
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
import { loadFiscalYearEnds } from '../profiles/fiscal-year-ends.ts';
import { type QuarantinedRecord, replaceQuarantined } from '../quarantine/store.ts';
import { type HolderAt, loadHolders } from '../securities/holders.ts';
import type { Security } from '../securities/row.ts';
import { type FiledSplit, recordFiledSplits } from '../splits/filed-splits.ts';
import { loadSourcedSplits } from '../splits/store.ts';
import { filerKey } from '../source-records/entity-keys.ts';
import { loadWithdrawals } from '../source-records/listed-days.ts';
import { loadHistories } from '../source-records/load.ts';
import {
  latest,
  recordIds,
  type ObservationHistory,
} from '../source-records/observation-history.ts';
import { replaceVersions, versionsIn } from '../versions/versioned-table.ts';
import { changedFields, earningsChangeSource, topicsOf } from './changes.ts';
import { deriveEarnings } from './derive.ts';
import type { EarningsObservation } from './observation.ts';
import type { EarningsEvent } from './row.ts';
import { filedSplits } from './share-basis.ts';
import type { KnownSplit } from './report-candidate.ts';
import { earningsVersions, loadEarningsOfSecurities } from './store.ts';
import { mayBeWithdrawn } from './withdrawn-rows.ts';
import { combineSplits } from './combine-splits.ts';

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
  const histories = await loadByEntityKey(context, securities, ciks);
  const yearEnds = await loadFiscalYearEnds(tx, filersOf(securities));
  const holderOf = await loadHolders(tx, securities);
  const result = emptyMergeResult();
  const ids = [...securities.map(({ id }) => id), ...removedIds];
  const companies = securities.map((security): Company => {
    const ofSecurity = historiesOf(security, histories, holderOf);
    return { security, histories: ofSecurity, filedSplits: filedSplits(ofSecurity) };
  });
  // Must run before the other splits are loaded, because prices may date the splits that filings
  // reveal.
  const splitSymbols = await recordFiledSplits(tx, ids, companies.flatMap(toFiledSplits), market);
  if (splitSymbols.length > 0) result.topics = new Set(barTopics(splitSymbols));
  const datedSplits = await loadSourcedSplits(tx, ids);
  const withdrawable = [...histories.values()].flat().filter(mayBeWithdrawn);
  const withdrawals = await loadWithdrawals(tx, 'earnings', withdrawable);
  const today = newYorkDate(now);
  const quarantined: QuarantinedRecord[] = [];
  const events: EarningsEvent[] = [];
  const removedAt = new Map<string, Instant>();
  for (const { security, ...company } of companies) {
    const derived = deriveEarnings({
      securityId: security.id,
      symbol: security.symbol,
      securityName: security.name,
      renamedAt: security.symbols.length > 1 ? security.listedAt : null,
      fiscalYearEnd: security.cik === null ? null : (yearEnds.get(security.cik) ?? null),
      splits: combineSplits(company.filedSplits, datedSplits.get(security.id) ?? [], today),
      histories: company.histories,
      withdrawals,
      market,
    });
    events.push(...derived.events);
    for (const [id, at] of derived.removed) removedAt.set(id, at);
    for (const [recordId, reason] of derived.quarantined) {
      quarantined.push({ recordId, ownerKey: security.id, reason });
    }
  }
  quarantined.push(...filersWithoutSecurity(securities, ciks, histories));
  for (const { recordId, reason } of quarantined) result.quarantined.set(recordId, reason);
  await replaceQuarantined(tx, 'earnings', [...ids, ...ciks], quarantined);
  await writeDifferences(context, ids, { events, removedAt }, result);
  return result;
}

interface Company {
  security: Security;
  histories: ObservationHistory<EarningsObservation>[];
  filedSplits: KnownSplit[];
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

/**
 * Returns a security's histories: those for its symbols while it held them, and those for its
 * filer.
 */
function historiesOf(
  security: Security,
  histories: ReadonlyMap<string, readonly ObservationHistory<EarningsObservation>[]>,
  holderOf: HolderAt,
): ObservationHistory<EarningsObservation>[] {
  const bySymbol = security.symbols.flatMap(({ symbol }) =>
    (histories.get(symbol) ?? []).filter((history) => {
      const day = dayOf(latest(history).fields);
      return day === null || holderOf(symbol, day) === security.id;
    }),
  );
  const filer = security.reports && security.cik !== null ? filerKey(security.cik) : null;
  return [...bySymbol, ...(filer === null ? [] : (histories.get(filer) ?? []))];
}

/** Returns the date that resolves a reused ticker; null for observations keyed by CIK. */
function dayOf(fields: EarningsObservation): LocalDate | null {
  if (fields.kind === 'calendar') return fields.date;
  if (fields.kind === 'call') return newYorkDate(fields.callAt);
  return fields.kind === 'figures' ? fields.fiscalPeriodEnd : null;
}

async function loadByEntityKey(
  { tx }: MergeContext,
  securities: readonly Security[],
  ciks: readonly string[],
): Promise<Map<string, ObservationHistory<EarningsObservation>[]>> {
  const entityKeys = [
    ...securities.flatMap(({ symbols }) => symbols.map(({ symbol }) => symbol)),
    ...[...filersOf(securities), ...ciks].map(filerKey),
  ];
  const histories = await loadHistories<EarningsObservation>(tx, 'earnings', entityKeys);
  return Map.groupBy(histories, ({ entityKey }) => entityKey);
}

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
  const reporting = new Set(securities.filter(({ reports }) => reports).map(({ cik }) => cik));
  return ciks
    .filter((cik) => !reporting.has(cik))
    .flatMap((cik) =>
      (histories.get(filerKey(cik)) ?? [])
        .flatMap((history) => [...recordIds(history)])
        .map((recordId) => ({ recordId, ownerKey: cik, reason: NO_LISTED_SYMBOL })),
    );
}

function filersOf(securities: readonly Security[]): string[] {
  return [...new Set(securities.flatMap(({ cik }) => (cik === null ? [] : [cik])))];
}
