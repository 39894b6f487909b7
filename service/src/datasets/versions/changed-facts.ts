import { canonicalJson } from '../source-records/canonical-json.ts';
import type { Versioned } from './versioned-table.ts';

/**
 * Returns the names of the facts that differ between two versions. For a first version, these are
 * all known facts.
 */
export function changedFacts<Version extends Versioned & { id: string }>(
  before: Version | null,
  after: Version,
): string[] {
  const { id: _id, provenance: _sources, updatedAt: _at, ...facts } = after;
  return Object.entries(facts).flatMap(([field, value]) => {
    const old: unknown = before === null ? null : Reflect.get(before, field);
    return canonicalJson(old ?? null) === canonicalJson(value) ? [] : [field];
  });
}
