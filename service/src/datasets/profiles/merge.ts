import type { LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { changeOf, type ChangeSource } from '../changes/change-of.ts';
import { emptyMergeResult, type MergeContext, type MergeResult } from '../dataset.ts';
import { loadHolders } from '../securities/holders.ts';
import { filersOf, type Security } from '../securities/row.ts';
import { canonicalJson } from '../source-records/canonical-json.ts';
import { filerKey } from '../source-records/entity-keys.ts';
import { loadHistories } from '../source-records/load.ts';
import type { ObservationHistory } from '../source-records/observation-history.ts';
import { replaceVersions, versionsIn } from '../versions/versioned-table.ts';
import { deriveProfile } from './derive.ts';
import type { ProfileObservation } from './observation.ts';
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
  const histories = await loadByEntityKey(context, securities);
  const classes = Map.groupBy(
    securities.filter(({ reports, active }) => reports && active),
    ({ cik }) => cik,
  );
  const holderOf = await loadHolders(context.tx, securities);
  const derived = securities.map((security) =>
    deriveProfile({
      security,
      isOnlyClass: security.cik !== null && (classes.get(security.cik) ?? []).length === 1,
      histories: [
        ...security.symbols.flatMap(({ symbol }) =>
          (histories.get(symbol) ?? []).flatMap((history) => {
            const isHeld = (day: LocalDate, company: string | null): boolean =>
              holderOf(symbol, day, company) === security.id;
            return observationsOfHolder(history, isHeld) ?? [];
          }),
        ),
        ...filersOf(security).flatMap((cik) => histories.get(filerKey(cik)) ?? []),
      ],
    }),
  );
  return writeDifferences(context, removedIds, derived);
}

/**
 * Returns the observations that name the security's company, or, without a name, that began on days
 * when the symbol belonged to the security; null if there are none. Without a name, a repeated value
 * does not come from a new holder, whose values would be different.
 */
function observationsOfHolder(
  history: ObservationHistory<ProfileObservation>,
  isHeld: (day: LocalDate, company: string | null) => boolean,
): ObservationHistory<ProfileObservation> | null {
  const observations = history.observations.filter(({ at, recordId, fields }, i) => {
    const company = fields.companyName ?? null;
    const isRepeated = recordId === history.observations[i - 1]?.recordId;
    return (company !== null || !isRepeated) && isHeld(newYorkDate(at), company);
  });
  return observations.length === 0 ? null : { ...history, observations };
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
  return ['symbol', 'companyName', 'type', 'tags'].includes(field);
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

async function loadByEntityKey(
  { tx }: MergeContext,
  securities: readonly Security[],
): Promise<Map<string, ObservationHistory<ProfileObservation>[]>> {
  const entityKeys = securities.flatMap((security) => [
    ...security.symbols.map(({ symbol }) => symbol),
    ...filersOf(security).map(filerKey),
  ]);
  const histories = await loadHistories<ProfileObservation>(tx, 'profiles', entityKeys);
  return Map.groupBy(histories, (history) => history.entityKey);
}
