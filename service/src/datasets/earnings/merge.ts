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
import { earlierIdsOf, filersOf, type Security } from '../securities/row.ts';
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
  const yearEnds = await loadFiscalYearEnds(tx, securities.flatMap(filersOf));
  const holderOf = await loadHolders(tx, securities);
  const result = emptyMergeResult();
  const ids = [...securities.map(({ id }) => id), ...removedIds];
  const companies = securities.map((security): Company => {
    const { own, foreign } = historiesOf(security, histories, holderOf);
    return { security, histories: own, foreign, filedSplits: filedSplits(own) };
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
      earlierIds: earlierIdsOf(security),
      symbol: security.symbol,
      securityName: security.name,
      renamedAt: security.symbols.length > 1 ? security.listedAt : null,
      fiscalYearEnd: firstOf(filersOf(security).map((cik) => yearEnds.get(cik))),
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
    for (const recordId of company.foreign.flatMap((history) => [...recordIds(history)])) {
      quarantined.push({ recordId, ownerKey: security.id, reason: OTHER_COMPANY });
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
  /** Rows about the security's symbol that name another company. */
  foreign: ObservationHistory<EarningsObservation>[];
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

const OTHER_COMPANY: QuarantineReason = {
  reason: 'other-company',
  detail: 'the row names a company that never had the symbol',
};

/**
 * Returns a security's histories: those for its symbols while it held them, and those for its
 * filers.
 */
function historiesOf(
  security: Security,
  histories: ReadonlyMap<string, readonly ObservationHistory<EarningsObservation>[]>,
  holderOf: HolderAt,
): Record<'own' | 'foreign', ObservationHistory<EarningsObservation>[]> {
  const filers = security.reports ? filersOf(security).map(filerKey) : [];
  const own = filers.flatMap((filer) => histories.get(filer) ?? []);
  const foreign: ObservationHistory<EarningsObservation>[] = [];
  for (const { symbol } of security.symbols) {
    for (const history of histories.get(symbol) ?? []) {
      const { fields } = latest(history);
      const day = dayOf(fields);
      const company = fields.kind === 'calendar' ? fields.name : null;
      const holder = day === null ? security.id : holderOf(symbol, day, company);
      if (holder === security.id) own.push(history);
      else if (holder === null && day !== null && holderOf(symbol, day) === security.id) {
        foreign.push(history);
      }
    }
  }
  return { own, foreign };
}

function firstOf<Value>(values: readonly (Value | undefined)[]): Value | null {
  return values.find((value) => value !== undefined) ?? null;
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
    ...[...securities.flatMap(filersOf), ...ciks].map(filerKey),
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
  const reporting = new Set(securities.filter(({ reports }) => reports).flatMap(filersOf));
  return ciks
    .filter((cik) => !reporting.has(cik))
    .flatMap((cik) =>
      (histories.get(filerKey(cik)) ?? [])
        .flatMap((history) => [...recordIds(history)])
        .map((recordId) => ({ recordId, ownerKey: cik, reason: NO_LISTED_SYMBOL })),
    );
}
