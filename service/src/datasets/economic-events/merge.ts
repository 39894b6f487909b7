import { topics } from '../topics.gen.ts';
import { addDays, addMonths, localDate, type LocalDate } from '../../domain/local-date.ts';
import { changeOf } from '../changes/change-of.ts';
import {
  emptyMergeResult,
  type QuarantineReason,
  type MergeContext,
  type MergeResult,
} from '../dataset.ts';
import { replaceQuarantined } from '../quarantine/store.ts';
import { loadHistories } from '../source-records/load.ts';
import { recordIds, type ObservationHistory } from '../source-records/observation-history.ts';
import { replaceVersions, versionsIn } from '../versions/versioned-table.ts';
import { changedFields, economicChangeSource } from './changes.ts';
import { deriveEconomicEvents } from './derive.ts';
import { type EconomicObservation, monthsBetween } from './observation.ts';
import type { EconomicEvent } from './row.ts';
import { economicEventVersions, loadCurrentEvents } from './store.ts';

/**
 * Derives the events for the affected months and their neighboring months, whose days and clocks
 * the affected rows may calibrate, and writes the differences. Also reads the rows for two more
 * months on each side: they calibrate the neighboring months, may belong to the same release or to
 * the one before, and a figure without a day is kept in the month before or after its release.
 */
export async function mergeEconomicEvents(
  context: MergeContext,
  months: readonly string[],
): Promise<MergeResult> {
  const result = emptyMergeResult();
  for (const run of runsOf(months)) {
    const first = addMonths(run.first, -1);
    const end = addMonths(run.last, 2);
    const read = monthsBetween(addMonths(first, -2), addMonths(end, 1));
    const histories = await loadHistories<EconomicObservation>(context.tx, 'economic-events', read);
    const { events, quarantined } = deriveEconomicEvents(histories);
    const written = monthsBetween(first, addMonths(run.last, 1));
    await saveQuarantined(context, written, histories, quarantined, result);
    const inRange = events.filter(({ date }) => date >= first && date < end);
    await writeDifferences(context, { from: first, to: addDays(end, -1) }, inRange, result);
  }
  return result;
}

/**
 * Groups affected months into ranges whose neighborhoods do not overlap. Ranges are given by the
 * first days of their months.
 */
function runsOf(months: readonly string[]): { first: LocalDate; last: LocalDate }[] {
  const runs: { first: LocalDate; last: LocalDate }[] = [];
  for (const month of months.toSorted()) {
    const day = localDate(`${month}-01`);
    const run = runs.at(-1);
    if (run !== undefined && day <= addMonths(run.last, 2)) run.last = day;
    else runs.push({ first: day, last: day });
  }
  return runs;
}

async function saveQuarantined(
  { tx }: MergeContext,
  months: readonly string[],
  histories: readonly ObservationHistory<EconomicObservation>[],
  quarantined: ReadonlyMap<number, QuarantineReason>,
  result: MergeResult,
): Promise<void> {
  const entries = histories
    .filter(({ entityKey }) => months.includes(entityKey))
    .flatMap((history) =>
      [...recordIds(history)].flatMap((recordId) => {
        const reason = quarantined.get(recordId);
        return reason === undefined ? [] : [{ recordId, ownerKey: history.entityKey, reason }];
      }),
    );
  for (const { recordId, reason } of entries) result.quarantined.set(recordId, reason);
  await replaceQuarantined(tx, 'economic-events', months, entries);
}

async function writeDifferences(
  { tx, now }: MergeContext,
  range: { from: LocalDate; to: LocalDate },
  derived: readonly EconomicEvent[],
  result: MergeResult,
): Promise<void> {
  const before = await loadCurrentEvents(tx, { ...range, ids: derived.map(({ id }) => id) });
  const parts = { before, after: derived, changed: changedFields };
  for (const difference of await replaceVersions(economicEventVersions, tx, parts, now)) {
    result.changes.push(...changeOf(difference, economicChangeSource));
    for (const { date } of versionsIn(difference))
      result.topics.add(topics.economicEvents.date(date));
  }
}
