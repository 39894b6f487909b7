import { emptyMerge } from '../dataset.ts';
import type { MergeContext, MergeResult } from '../dataset.ts';
import { canonicalJson } from '../source-records/canonical-json.ts';
import { loadThreads } from '../source-records/load.ts';
import { deriveIpos } from './derive.ts';
import type { IpoObservation } from './observation.ts';
import type { Ipo } from './row.ts';
import {
  closeIpos,
  insertIpos,
  IPOS_TOPIC,
  loadIposOfSubjects,
  relatedSubjects,
  renewIpos,
} from './store.ts';

/** Derives anew the offerings that these subjects speak of and writes what differs. */
export async function mergeIpos(
  context: MergeContext,
  touched: readonly string[],
): Promise<MergeResult> {
  const result = emptyMerge();
  if (touched.length === 0) return result;
  const subjects = await relatedSubjects(context.tx, touched);
  const threads = await loadThreads<IpoObservation>(context.tx, 'ipos', subjects);
  await writeDifferences(context, subjects, deriveIpos(threads), result);
  return result;
}

async function writeDifferences(
  { tx, now }: MergeContext,
  subjects: readonly string[],
  derived: readonly Ipo[],
  result: MergeResult,
): Promise<void> {
  const standing = await loadIposOfSubjects(tx, subjects);
  const before = new Map(standing.map((ipo) => [ipo.id, ipo]));
  const fresh: Ipo[] = [];
  const renewed: Ipo[] = [];
  for (const ipo of derived) {
    const old = before.get(ipo.id);
    before.delete(ipo.id);
    const changedFields = differing(old, ipo);
    if (old === undefined || changedFields.length > 0) {
      fresh.push(ipo);
      result.changes.push({
        dataset: 'ipos',
        entityId: ipo.id,
        symbol: ipo.symbol ?? '',
        changedFields,
        observedAt: ipo.updatedAt,
      });
    } else if (
      old.updatedAt !== ipo.updatedAt ||
      canonicalJson(old.provenance) !== canonicalJson(ipo.provenance)
    ) {
      renewed.push(ipo);
    }
  }
  if (fresh.length + renewed.length + before.size > 0) result.topics.add(IPOS_TOPIC);
  await closeIpos(tx, [...fresh.map(({ id }) => id), ...before.keys()], now);
  await insertIpos(tx, fresh, now);
  await renewIpos(tx, renewed);
}

/** Names of the facts in which two versions differ; for a first version, every known fact. */
function differing(before: Ipo | undefined, after: Ipo): string[] {
  const { id: _id, provenance: _sources, updatedAt: _at, ...facts } = after;
  return Object.entries(facts).flatMap(([field, value]) => {
    const old: unknown = before === undefined ? null : Reflect.get(before, field);
    return canonicalJson(old ?? null) === canonicalJson(value) ? [] : [field];
  });
}
