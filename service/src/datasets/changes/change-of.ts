import type { Instant } from '../../platform/instant.ts';
import type { Change } from '../dataset.ts';
import type { Difference } from '../versions/versioned-table.ts';

/** Converts the versions of a data set to change records. */
export interface ChangeSource<Version> {
  dataset: string;
  idOf(version: Version): string;
  /** Returns the version's symbol, or an empty string if it is unknown. */
  symbolOf(version: Version): string;
  /** Returns the version's facts, keyed by name. */
  factsOf(version: Version): object;
  /**
   * Returns the names of the facts that differ between two versions. For a first version, these are
   * all known facts.
   */
  changed(before: Version | null, after: Version): string[];
}

/**
 * Returns the change record for a difference between two versions, or null if the facts are
 * unchanged. `removedAt` maps ids to removal times. An id without an entry uses the time of its
 * last observation.
 */
export function changeOf<Version extends { updatedAt: Instant }>(
  difference: Difference<Version>,
  source: ChangeSource<Version>,
  removedAt: ReadonlyMap<string, Instant> = new Map(),
): Change[] {
  if (difference.kind === 'renewed') return [];
  const { before } = difference;
  const after = difference.kind === 'removed' ? null : difference.after;
  const version = difference.kind === 'removed' ? difference.before : difference.after;
  const changedFields =
    difference.kind === 'removed' ? source.changed(null, version) : difference.changedFields;
  const id = source.idOf(version);
  return [
    {
      dataset: source.dataset,
      entityId: id,
      symbol: source.symbolOf(version),
      kind: after === null ? 'removed' : before === null ? 'added' : 'changed',
      changedFields,
      fields: fieldsOf(before, after, changedFields, source),
      observedAt: Math.max(version.updatedAt, after === null ? (removedAt.get(id) ?? 0) : 0),
    },
  ];
}

function fieldsOf<Version>(
  before: Version | null,
  after: Version | null,
  names: readonly string[],
  { factsOf }: ChangeSource<Version>,
): Change['fields'] {
  const [from, to] = [before, after].map((version) => (version === null ? {} : factsOf(version)));
  return Object.fromEntries(
    names.map((name) => [name, { from: valueOf(from, name), to: valueOf(to, name) }]),
  );
}

function valueOf(facts: object = {}, name: string): unknown {
  const value: unknown = Reflect.get(facts, name);
  return value ?? null;
}
