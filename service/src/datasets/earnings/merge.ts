import type { LocalDate } from '../../domain/local-date.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import { barTopics } from '../bars/topics.ts';
import { changeOf } from '../changes/change-of.ts';
import { emptyMerge, type HeldReason, type MergeContext, type MergeResult } from '../dataset.ts';
import { loadFiscalYearEnds } from '../profiles/fiscal-year-ends.ts';
import { type HeldRecord, replaceHeld } from '../quarantine/store.ts';
import { type HolderAt, loadHolders } from '../securities/holders.ts';
import type { Security } from '../securities/row.ts';
import { type FiledSplit, recordFiledSplits } from '../splits/filed-splits.ts';
import { loadSourcedSplits } from '../splits/store.ts';
import { loadLeft } from '../source-records/listed-days.ts';
import { loadHistories } from '../source-records/load.ts';
import {
  latest,
  recordIds,
  type ObservationHistory,
} from '../source-records/observation-history.ts';
import { replaceVersions, versionsOf } from '../versions/versioned-table.ts';
import { changedFields, toldEarnings, topicsOf } from './changes.ts';
import { deriveEarnings } from './derive.ts';
import type { EarningsObservation } from './observation.ts';
import type { EarningsEvent } from './row.ts';
import { filedSplits, type KnownSplit } from './share-basis.ts';
import { earningsVersions, loadEarningsOfSecurities } from './store.ts';
import { mayBeTakenBack } from './withdrawn-rows.ts';
import { uniteSplits } from './combine-splits.ts';

export interface EarningsMergeInput {
  /** Every security touched, with all its symbols. */
  securities: readonly Security[];
  /** Filers touched, of which some may have no listed security yet. */
  ciks: readonly string[];
  /** Ids under which no security is known any more: their events are closed. */
  goneIds: readonly string[];
  market: MarketCalendar;
}

/** Derives anew the earnings of these securities and writes what differs from what stands. */
export async function mergeEarnings(
  context: MergeContext,
  { securities, ciks, goneIds, market }: EarningsMergeInput,
): Promise<MergeResult> {
  const histories = await loadBySubject(context, securities, ciks);
  const yearEnds = await loadFiscalYearEnds(context.tx, filersOf(securities));
  const holderOf = await loadHolders(context.tx, securities);
  const result = emptyMerge();
  const held: HeldRecord[] = [];
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
  const asked = [...histories.values()].flat().filter(mayBeTakenBack);
  const left = await loadLeft(context.tx, 'earnings', asked);
  const goneAt = new Map<string, Instant>();
  for (const { security, own, filed } of companies) {
    const { events, gone, ...of } = deriveEarnings({
      securityId: security.id,
      symbol: security.symbol,
      securityName: security.name,
      renamedAt: security.symbols.length > 1 ? security.listedAt : null,
      fiscalYearEnd: security.cik === null ? null : (yearEnds.get(security.cik) ?? null),
      splits: uniteSplits(filed, told.get(security.id) ?? [], today),
      histories: own,
      left,
      market,
    });
    derived.push(...events);
    for (const [id, since] of gone) goneAt.set(id, since);
    for (const [recordId, why] of of.held) {
      result.held.set(recordId, why);
      held.push({ recordId, owner: security.id, why });
    }
  }
  holdFilersWithoutSecurity(securities, ciks, histories, result, held);
  await replaceHeld(context.tx, 'earnings', [...ids, ...ciks], held);
  await writeDifferences(context, ids, { derived, goneAt }, result);
  return result;
}

const NO_LISTED_SYMBOL: HeldReason = {
  reason: 'no-listed-symbol',
  detail: 'no list names a symbol of this filer',
};

function toFiled({ security, filed }: { security: Security; filed: KnownSplit[] }): FiledSplit[] {
  return filed.map(({ source, ...split }) => ({ ...split, ...source, securityId: security.id }));
}

async function writeDifferences(
  { tx, now }: MergeContext,
  securityIds: readonly string[],
  { derived, goneAt }: { derived: readonly EarningsEvent[]; goneAt: ReadonlyMap<string, Instant> },
  result: MergeResult,
): Promise<void> {
  const before = await loadEarningsOfSecurities(tx, securityIds);
  const parts = { before, after: derived, changed: changedFields };
  for (const difference of await replaceVersions(earningsVersions, tx, parts, now)) {
    result.changes.push(...changeOf(difference, toldEarnings, goneAt));
    for (const event of versionsOf(difference)) {
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

async function loadBySubject(
  { tx }: MergeContext,
  securities: readonly Security[],
  ciks: readonly string[],
): Promise<Map<string, ObservationHistory<EarningsObservation>[]>> {
  const subjects = [
    ...securities.flatMap(({ symbols }) => symbols.map(({ symbol }) => symbol)),
    ...[...filersOf(securities), ...ciks].map(subjectOf),
  ];
  const histories = await loadHistories<EarningsObservation>(tx, 'earnings', subjects);
  return Map.groupBy(histories, (history) => history.subject);
}

function holdFilersWithoutSecurity(
  securities: readonly Security[],
  ciks: readonly string[],
  histories: ReadonlyMap<string, readonly ObservationHistory<EarningsObservation>[]>,
  result: MergeResult,
  held: HeldRecord[],
): void {
  const reporting = new Set(securities.filter(({ reports }) => reports).map(({ cik }) => cik));
  for (const cik of ciks) {
    if (reporting.has(cik)) continue;
    for (const recordId of (histories.get(subjectOf(cik)) ?? []).flatMap((t) => [
      ...recordIds(t),
    ])) {
      result.held.set(recordId, NO_LISTED_SYMBOL);
      held.push({ recordId, owner: cik, why: NO_LISTED_SYMBOL });
    }
  }
}

function filersOf(securities: readonly Security[]): string[] {
  return [...new Set(securities.flatMap(({ cik }) => (cik === null ? [] : [cik])))];
}

function subjectOf(cik: string): string {
  return `CIK${cik}`;
}
