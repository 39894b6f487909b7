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
import { filedSplits, type KnownSplit } from './share-basis.ts';
import { earningsVersions, loadEarningsOfSecurities } from './store.ts';
import { mayBeWithdrawn } from './withdrawn-rows.ts';
import { combineSplits } from './combine-splits.ts';

export interface EarningsMergeInput {
  /** Every security touched, with all its symbols. */
  securities: readonly Security[];
  /** Filers touched, of which some may have no listed security yet. */
  ciks: readonly string[];
  /** Ids under which no security is known any more: their events are closed. */
  removedIds: readonly string[];
  market: MarketCalendar;
}

/** Derives anew the earnings of these securities and writes what differs from what stands. */
export async function mergeEarnings(
  context: MergeContext,
  { securities, ciks, removedIds: goneIds, market }: EarningsMergeInput,
): Promise<MergeResult> {
  const histories = await loadByEntityKey(context, securities, ciks);
  const yearEnds = await loadFiscalYearEnds(context.tx, filersOf(securities));
  const holderOf = await loadHolders(context.tx, securities);
  const result = emptyMergeResult();
  const quarantined: QuarantinedRecord[] = [];
  const derived: EarningsEvent[] = [];
  const ids = [...securities.map(({ id }) => id), ...goneIds];
  const companies = securities.map((security) => {
    const own = historiesOf(security, histories, holderOf);
    return { security, own, filed: filedSplits(own) };
  });
  // First of all: prices may date what filings reveal.
  const split = await recordFiledSplits(context.tx, ids, companies.flatMap(toFiled), market);
  if (split.length > 0) for (const topic of barTopics(split)) result.topics.add(topic);
  const told = await loadSourcedSplits(context.tx, ids);
  const today = newYorkDate(context.now);
  const asked = [...histories.values()].flat().filter(mayBeWithdrawn);
  const withdrawals = await loadWithdrawals(context.tx, 'earnings', asked);
  const removedAt = new Map<string, Instant>();
  for (const { security, own, filed } of companies) {
    const { events, removed, ...of } = deriveEarnings({
      securityId: security.id,
      symbol: security.symbol,
      securityName: security.name,
      renamedAt: security.symbols.length > 1 ? security.listedAt : null,
      fiscalYearEnd: security.cik === null ? null : (yearEnds.get(security.cik) ?? null),
      splits: combineSplits(filed, told.get(security.id) ?? [], today),
      histories: own,
      withdrawals,
      market,
    });
    derived.push(...events);
    for (const [id, since] of removed) removedAt.set(id, since);
    for (const [recordId, reason] of of.quarantined) {
      result.quarantined.set(recordId, reason);
      quarantined.push({ recordId, ownerKey: security.id, reason });
    }
  }
  holdFilersWithoutSecurity(securities, ciks, histories, result, quarantined);
  await replaceQuarantined(context.tx, 'earnings', [...ids, ...ciks], quarantined);
  await writeDifferences(context, ids, { derived, removedAt }, result);
  return result;
}

const NO_LISTED_SYMBOL: QuarantineReason = {
  reason: 'no-listed-symbol',
  detail: 'no list names a symbol of this filer',
};

function toFiled({ security, filed }: { security: Security; filed: KnownSplit[] }): FiledSplit[] {
  return filed.map(({ source, ...split }) => ({ ...split, ...source, securityId: security.id }));
}

async function writeDifferences(
  { tx, now }: MergeContext,
  securityIds: readonly string[],
  {
    derived,
    removedAt,
  }: { derived: readonly EarningsEvent[]; removedAt: ReadonlyMap<string, Instant> },
  result: MergeResult,
): Promise<void> {
  const before = await loadEarningsOfSecurities(tx, securityIds);
  const parts = { before, after: derived, changed: changedFields };
  for (const difference of await replaceVersions(earningsVersions, tx, parts, now)) {
    result.changes.push(...changeOf(difference, earningsChangeSource, removedAt));
    for (const event of versionsIn(difference)) {
      for (const topic of topicsOf(event)) result.topics.add(topic);
    }
  }
}

/** Threads of a security: those of its symbols where they mean it, and those of its filer. */
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
  const byFiler = security.reports && security.cik !== null ? subjectOf(security.cik) : null;
  return [...bySymbol, ...(byFiler === null ? [] : (histories.get(byFiler) ?? []))];
}

/** The day by which a reused symbol tells whom it means; null for what is keyed by filer. */
function dayOf(fields: EarningsObservation): LocalDate | null {
  if (fields.kind === 'calendar') return fields.date;
  return fields.kind === 'figures' ? fields.fiscalPeriodEnd : null;
}

async function loadByEntityKey(
  { tx }: MergeContext,
  securities: readonly Security[],
  ciks: readonly string[],
): Promise<Map<string, ObservationHistory<EarningsObservation>[]>> {
  const entityKeys = [
    ...securities.flatMap(({ symbols }) => symbols.map(({ symbol }) => symbol)),
    ...[...filersOf(securities), ...ciks].map(subjectOf),
  ];
  const histories = await loadHistories<EarningsObservation>(tx, 'earnings', entityKeys);
  return Map.groupBy(histories, (history) => history.entityKey);
}

function holdFilersWithoutSecurity(
  securities: readonly Security[],
  ciks: readonly string[],
  histories: ReadonlyMap<string, readonly ObservationHistory<EarningsObservation>[]>,
  result: MergeResult,
  quarantined: QuarantinedRecord[],
): void {
  const reporting = new Set(securities.filter(({ reports }) => reports).map(({ cik }) => cik));
  for (const cik of ciks) {
    if (reporting.has(cik)) continue;
    for (const recordId of (histories.get(subjectOf(cik)) ?? []).flatMap((t) => [
      ...recordIds(t),
    ])) {
      result.quarantined.set(recordId, NO_LISTED_SYMBOL);
      quarantined.push({ recordId, ownerKey: cik, reason: NO_LISTED_SYMBOL });
    }
  }
}

function filersOf(securities: readonly Security[]): string[] {
  return [...new Set(securities.flatMap(({ cik }) => (cik === null ? [] : [cik])))];
}

function subjectOf(cik: string): string {
  return `CIK${cik}`;
}
