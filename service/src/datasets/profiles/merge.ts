import { topics } from '../topics.gen.ts';
import { changeOf, type ChangeSource } from '../changes/change-of.ts';
import { emptyMergeResult, type MergeContext, type MergeResult } from '../dataset.ts';
import { filersOf, type Security } from '../securities/row.ts';
import { canonicalJson } from '../source-records/canonical-json.ts';
import { filerOf } from '../source-records/entity-keys.ts';
import type { RecordedRow } from '../source-records/record-rows.ts';
import { replaceVersions, versionsIn } from '../versions/versioned-table.ts';
import { deriveProfile } from './derive.ts';
import { loadProfileInputs } from './load-inputs.ts';
import type { ProfileObservation } from './observation.ts';
import type { Profile } from './row.ts';
import { loadProfiles, profileVersions } from './store.ts';

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
    for (const { symbol } of versionsIn(difference))
      result.topics.add(topics.profiles.symbol(symbol));
    if (difference.kind === 'changed') {
      const { changedFields: changed } = difference;
      if (changed.some(isOfShares)) result.topics.add(topics.profiles.shares);
      if (changed.some(isOfNameOrKind)) result.topics.add(topics.profiles.namesAndKinds);
    }
    result.changes.push(...changeOf(difference, profileChangeSource));
  }
  return result;
}

/** Marks searches as stale that show new former names of these companies. */
export function markFormerNames(
  result: MergeResult,
  rows: readonly RecordedRow[],
  securities: readonly Security[],
): void {
  const renamed = rows
    .filter(({ row: { dataset, fields }, outcome }) => {
      return dataset === 'profiles' && outcome !== 'same' && hasFormerNames(fields);
    })
    .flatMap(({ row }) => filerOf(row.entityKey) ?? []);
  const isRenamed = (security: Security): boolean =>
    filersOf(security).some((cik) => renamed.includes(cik));
  for (const { symbol } of securities.filter(isRenamed)) {
    result.topics.add(topics.profiles.namesAndKinds).add(topics.profiles.symbol(symbol));
  }
}

function hasFormerNames({ formerNames }: ProfileObservation): boolean {
  return formerNames !== undefined && formerNames.length > 0;
}

function isOfShares(field: string): boolean {
  return field === 'outstandingSharesAllClasses' || field === 'sharesAsOf' || field === 'tags';
}

function isOfNameOrKind(field: string): boolean {
  return ['symbol', 'companyName', 'cik', 'exchange', 'type', 'tags'].includes(field);
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
