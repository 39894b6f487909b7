import type { FieldSource } from '../datasets/versions/versioned-table.ts';
import type { DatasetTable } from '../endpoints/tables/table.ts';

/** A stored row. The facts of a profile are in its `fields`. */
interface SourcedRow {
  provenance?: Readonly<Record<string, FieldSource>>;
  fields?: object;
}

/**
 * Removes the values of sources that must not be redistributed from a stored row, so that no column
 * can be computed from them. Returns null if nothing else is left or if the row's day is one of
 * them.
 */
export function withhold<Stored extends SourcedRow>(
  { sources, stored: { dayField }, recompute }: DatasetTable,
  row: Stored,
  withheld: ReadonlySet<string>,
): Stored | null {
  const { provenance = {}, fields } = row;
  const names = Object.keys(provenance);
  const removed = names.filter((name) => withheld.has(provenance[name]?.provider ?? ''));
  if (removed.length === 0) return row;
  const removedFields = removed.flatMap((name) => sources[name] ?? [name]);
  if (removed.length === names.length || (dayField !== null && removedFields.includes(dayField)))
    return null;
  const allowed = names.filter((name) => !removed.includes(name));
  return recompute({
    ...without(row, removedFields),
    ...(fields === undefined ? {} : { fields: without(fields, removedFields) }),
    provenance: Object.fromEntries(allowed.map((name) => [name, provenance[name]])),
  }) as Stored;
}

/** Returns a copy in which these fields are null: `eps`, or the part `eps` of `estimates`. */
function without(facts: object, fields: readonly string[]): object {
  const copy: Record<string, unknown> = { ...facts };
  for (const field of fields) {
    const [outer = field, part] = field.split('.');
    if (part === undefined) copy[outer] = null;
    else copy[outer] &&= { ...copy[outer], [part]: null };
  }
  return copy;
}
