import { changeOf, type Told } from '../changes/change-of.ts';
import { emptyMerge, type MergeContext, type MergeResult } from '../dataset.ts';
import { loadThreads } from '../source-records/load.ts';
import { changedFacts } from '../versions/changed-facts.ts';
import { replaceVersions } from '../versions/versioned-table.ts';
import { deriveIpos } from './derive.ts';
import type { IpoObservation } from './observation.ts';
import type { Ipo } from './row.ts';
import { IPOS_TOPIC, ipoVersions, loadIposOfSubjects, relatedSubjects } from './store.ts';

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

const toldIpos: Told<Ipo> = {
  dataset: 'ipos',
  idOf: ({ id }) => id,
  symbolOf: ({ symbol }) => symbol ?? '',
  factsOf: (version) => version,
  changed: changedFacts<Ipo>,
};

async function writeDifferences(
  { tx, now }: MergeContext,
  subjects: readonly string[],
  derived: readonly Ipo[],
  result: MergeResult,
): Promise<void> {
  const before = await loadIposOfSubjects(tx, subjects);
  const parts = { before, after: derived, changed: changedFacts<Ipo> };
  for (const difference of await replaceVersions(ipoVersions, tx, parts, now)) {
    result.topics.add(IPOS_TOPIC);
    result.changes.push(...changeOf(difference, toldIpos));
  }
}
