import type { Instant } from '../../platform/instant.ts';
import type { Change } from '../dataset.ts';
import type { Difference } from '../versions/versioned-table.ts';

/** How the changes of a data set are told of. */
export interface ChangeSource<Version> {
  dataset: string;
  idOf(version: Version): string;
  /** Whom it is about; empty where no symbol is known. */
  symbolOf(version: Version): string;
  /** The facts by name. */
  factsOf(version: Version): object;
  /** Names of the facts in which two versions differ; for a first version, those known. */
  changed(before: Version | null, after: Version): string[];
}

/**
 * The change that a difference is; none where the facts stayed the same. `goneAt` has, by id, when it
 * was observed that something is gone; of what it lacks, that is when it was last observed.
 */
export function changeOf<Version extends { updatedAt: Instant }>(
  difference: Difference<Version>,
  source: ChangeSource<Version>,
  removedAt: ReadonlyMap<string, Instant> = new Map(),
): Change[] {
  if (difference.kind === 'renewed') return [];
  const { before } = difference;
  const after = difference.kind === 'gone' ? null : difference.after;
  const version = difference.kind === 'gone' ? difference.before : difference.after;
  const changedFields =
    difference.kind === 'gone' ? source.changed(null, version) : difference.changedFields;
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
