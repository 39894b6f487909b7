import type { LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { emptyMerge } from '../dataset.ts';
import type { MergeContext, MergeResult } from '../dataset.ts';
import { loadHolders } from '../securities/holders.ts';
import type { Security } from '../securities/row.ts';
import { canonicalJson } from '../source-records/canonical-json.ts';
import { loadThreads } from '../source-records/load.ts';
import type { Thread } from '../source-records/thread.ts';
import { deriveProfile } from './derive.ts';
import type { ProfileObservation } from './observation.ts';
import type { Profile } from './row.ts';
import { closeProfiles, insertProfiles, loadProfiles, renewProfiles } from './store.ts';

/**
 * Derives anew the profiles of these securities and writes what differs from what stands. The
 * list must hold all securities of each filer in it, so that share classes can be told.
 */
export async function mergeProfiles(
  context: MergeContext,
  securities: readonly Security[],
  goneIds: readonly string[],
): Promise<MergeResult> {
  await closeProfiles(context.tx, goneIds, context.now);
  const threads = await loadBySubject(context, securities);
  const classes = Map.groupBy(
    securities.filter(({ reports, active }) => reports && active),
    ({ cik }) => cik,
  );
  const holderOf = await loadHolders(context.tx, securities);
  const derived = securities.map((security) =>
    deriveProfile({
      security,
      isOnlyClass: security.cik !== null && (classes.get(security.cik) ?? []).length === 1,
      threads: [
        ...security.symbols.flatMap(({ symbol }) =>
          (threads.get(symbol) ?? []).flatMap((thread) => {
            const isOwn = (day: LocalDate): boolean => holderOf(symbol, day) === security.id;
            return wordsOf(thread, isOwn) ?? [];
          }),
        ),
        ...(security.cik === null ? [] : (threads.get(`CIK${security.cik}`) ?? [])),
      ],
    }),
  );
  return writeDifferences(context, derived);
}

/**
 * What a thread began to say on the days on which its symbol meant the security; null when nothing.
 * Repeating a word tells nothing of a new holder, who would be described in other words.
 */
function wordsOf(
  thread: Thread<ProfileObservation>,
  isOwn: (day: LocalDate) => boolean,
): Thread<ProfileObservation> | null {
  const sightings = thread.sightings.filter(
    ({ at, recordId }, i) =>
      recordId !== thread.sightings[i - 1]?.recordId && isOwn(newYorkDate(at)),
  );
  return sightings.length === 0 ? null : { ...thread, sightings };
}

async function writeDifferences(
  { tx, now }: MergeContext,
  derived: readonly Profile[],
): Promise<MergeResult> {
  const result = emptyMerge();
  const ids = derived.map(({ securityId }) => securityId);
  const before = new Map((await loadProfiles(tx, ids)).map((row) => [row.securityId, row]));
  const fresh: Profile[] = [];
  const renewed: Profile[] = [];
  for (const profile of derived) {
    const old = before.get(profile.securityId);
    const changedFields = old === undefined ? knownFields(profile) : differing(old, profile);
    if (changedFields.length > 0 || old === undefined || old.symbol !== profile.symbol) {
      fresh.push(profile);
      result.changes.push({
        dataset: 'profiles',
        entityId: profile.securityId,
        symbol: profile.symbol,
        changedFields,
        observedAt: profile.updatedAt,
      });
    } else if (
      old.updatedAt !== profile.updatedAt ||
      canonicalJson(old.provenance) !== canonicalJson(profile.provenance)
    ) {
      renewed.push(profile);
    } else {
      continue;
    }
    result.topics.add(`profile:${profile.symbol}`);
    if (old !== undefined) result.topics.add(`profile:${old.symbol}`);
  }
  await closeProfiles(
    tx,
    fresh.map(({ securityId }) => securityId),
    now,
  );
  await insertProfiles(tx, fresh, now);
  await renewProfiles(tx, renewed);
  return result;
}

function differing(before: Profile, after: Profile): string[] {
  const keys = Object.keys(after.fields) as (keyof Profile['fields'])[];
  return keys.filter(
    (key) => canonicalJson(before.fields[key] ?? null) !== canonicalJson(after.fields[key] ?? null),
  );
}

function knownFields({ fields }: Profile): string[] {
  return Object.entries(fields).flatMap(([key, value]) => (value === null ? [] : [key]));
}

async function loadBySubject(
  { tx }: MergeContext,
  securities: readonly Security[],
): Promise<Map<string, Thread<ProfileObservation>[]>> {
  const subjects = securities.flatMap(({ symbols, cik }) => [
    ...symbols.map(({ symbol }) => symbol),
    ...(cik === null ? [] : [`CIK${cik}`]),
  ]);
  const threads = await loadThreads<ProfileObservation>(tx, 'profiles', subjects);
  return Map.groupBy(threads, (thread) => thread.subject);
}
