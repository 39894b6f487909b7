import { changeOf, type ChangeSource } from '../changes/change-of.ts';
import { emptyMergeResult, type MergeContext, type MergeResult } from '../dataset.ts';
import type { Security } from '../securities/row.ts';
import { canonicalJson } from '../source-records/canonical-json.ts';
import { replaceVersions, versionsIn } from '../versions/versioned-table.ts';
import { deriveProfile } from './derive.ts';
import { loadProfileInputs } from './load-inputs.ts';
import type { Profile } from './row.ts';
import { loadProfiles, NAMES_AND_KINDS_TOPIC, profileVersions, SHARES_TOPIC } from './store.ts';

/**
 * Derives the profiles of these securities and writes the differences. For each filer, the list
 * must contain all its securities, so that share classes can be counted.
 */
export async function mergeProfiles(
  context: MergeContext,
  securities: readonly Security[],
  removedIds: readonly string[],
): Promise<MergeResult> {
  const inputs = await loadProfileInputs(context.tx, securities);
  return writeDifferences(context, removedIds, inputs.map(deriveProfile));
}

const profileChangeSource: ChangeSource<Profile> = {
  dataset: 'profiles',
  idOf: ({ securityId }) => securityId,
  symbolOf: ({ symbol }) => symbol,
  factsOf: ({ symbol, fields }) => ({ symbol, ...fields }),
  changed: changedFields,
};

async function writeDifferences(
  { tx, now }: MergeContext,
  removedIds: readonly string[],
  derived: readonly Profile[],
): Promise<MergeResult> {
  const result = emptyMergeResult();
  const before = await loadProfiles(tx, [
    ...derived.map(({ securityId }) => securityId),
    ...removedIds,
  ]);
  const parts = { before, after: derived, changed: changedFields };
  for (const difference of await replaceVersions(profileVersions, tx, parts, now)) {
    for (const { symbol } of versionsIn(difference)) result.topics.add(`profile:${symbol}`);
    if (difference.kind === 'changed') {
      const { changedFields: changed } = difference;
      if (changed.some(isOfShares)) result.topics.add(SHARES_TOPIC);
      if (changed.some(isOfNameOrKind)) result.topics.add(NAMES_AND_KINDS_TOPIC);
    }
    result.changes.push(...changeOf(difference, profileChangeSource));
  }
  return result;
}

function isOfShares(field: string): boolean {
  return field === 'outstandingSharesAllClasses' || field === 'sharesAsOf' || field === 'tags';
}

function isOfNameOrKind(field: string): boolean {
  return ['symbol', 'companyName', 'exchange', 'type', 'tags'].includes(field);
}

/**
 * Returns the names of the facts that differ between two versions. For a first version, these are
 * all known facts.
 */
function changedFields(before: Profile | null, after: Profile): string[] {
  const symbol = before !== null && before.symbol !== after.symbol ? ['symbol'] : [];
  const fields = Object.entries(after.fields).flatMap(([field, value]) => {
    const old: unknown = before === null ? null : Reflect.get(before.fields, field);
    return canonicalJson(old ?? null) === canonicalJson(value ?? null) ? [] : [field];
  });
  return [...symbol, ...fields];
}
