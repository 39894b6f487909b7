import { Type } from 'typebox';
import { loadSecuritiesById } from '../../datasets/securities/store.ts';
import { loadResponseUrls, type SourcedRow } from '../../datasets/versions/response-urls.ts';
import type { FieldSource } from '../../datasets/versions/versioned-table.ts';
import { formatInstant, type Instant } from '../../platform/instant.ts';
import { mapInSlices } from '../../platform/slices.ts';
import type { Queryable } from '../../storage/db.ts';
import type { Parameter, Values } from '../endpoint.ts';
import { type BodyOf, instant, integer, named, nullable, text } from '../schema/fields.ts';

export const includeParameter: Parameter = {
  name: 'include',
  in: 'query',
  kind: 'enum',
  values: ['provenance'],
  required: false,
  describe:
    '`provenance` adds the source of each field and its time to each row; in CSV, as a last column ' +
    'of JSON.',
};

export const fieldSource = named('FieldSource', {
  source: text('Name of the source, as in the list of sources.'),
  url: nullable(
    text('URL of the response it was read from, without API keys; null without an address.'),
  ),
  seenAt: instant("Time of the source's first observation of this value."),
  cell: Type.Optional(
    named('DocumentCell', {
      row: text('Label of the row, or the sentence for a value from prose.'),
      column: nullable(text('Head of the column; null for a value from prose.')),
      offset: integer('Position in the document, in UTF-16 code units.'),
    }),
  ),
});

type FieldSources = Record<string, BodyOf<typeof fieldSource>>;

/** Provenance covers neither computed fields nor fields without a source. */
export const provenanceField = Type.Optional(
  Type.Unsafe<FieldSources>(
    Type.Object(
      {},
      {
        additionalProperties: fieldSource,
        description:
          'Only with `include=provenance`: the source of each field, or of a part of it, such as ' +
          '`estimates.eps`. Computed fields have no entry.',
      },
    ),
  ),
);

export interface ProvenanceQuery<Stored extends SourcedRow> {
  dataset: string;
  rows: readonly Stored[];
  /**
   * Maps provenance names to the response fields they cover, for names that differ from their
   * fields.
   */
  fields?: Readonly<Record<string, readonly string[]>>;
  /** Returns the entity keys under which sources reported the rows at the given indexes. */
  entityKeysOf: (rows: readonly number[]) => Promise<readonly (readonly string[])[]>;
}

/**
 * Adds provenance to the bodies if the `include` parameter requests it; otherwise, returns the
 * bodies unchanged. `bodies[i]` must describe `rows[i]`.
 */
export async function withProvenance<Stored extends SourcedRow, Body extends object>(
  db: Queryable,
  values: Values,
  { dataset, rows, fields = {}, entityKeysOf }: ProvenanceQuery<Stored>,
  bodies: readonly Body[],
): Promise<Body[]> {
  if (!includes(values, 'provenance')) return [...bodies];
  const urlOf = await loadResponseUrls(db, dataset, rows, entityKeysOf);
  // Provenance has the same field order as the body. `estimates.eps` is a part of `estimates`.
  return mapInSlices(bodies, 25, (slice, start) =>
    slice.map((body, index) => explain(body, start + index)),
  );

  function explain(body: Body, row: number): Body {
    const sources = new Map<string, [name: string, source: FieldSources[string]][]>();
    const seen = new Set<string>();
    for (const [name, source] of Object.entries(rows[row]?.provenance ?? {})) {
      for (const field of fields[name] ?? [name]) {
        if (seen.has(field)) continue;
        seen.add(field);
        const [whole = field] = field.split('.', 1);
        const parts = sources.get(whole) ?? [];
        parts.push([field, renderSource(source, urlOf(source, row))]);
        sources.set(whole, parts);
      }
    }
    const provenance = Object.keys(body).flatMap((field) => sources.get(field) ?? []);
    return { ...body, provenance: Object.fromEntries(provenance) };
  }
}

/** Returns whether the `include` parameter requests a part. */
export function includes(values: Values, part: 'provenance' | 'alternatives'): boolean {
  return values.choice('include')?.split(',').includes(part) ?? false;
}

/** Renders a source. The URLs of an operator's local files are private and are omitted. */
export function renderSource(
  { provider, seenAt, cell }: FieldSource,
  url: string | null,
): FieldSources[string] {
  const isOwnFile = url?.startsWith('file:') ?? false;
  const source = { source: provider, url: isOwnFile ? null : url, seenAt: formatInstant(seenAt) };
  return cell === undefined ? source : { ...source, cell };
}

/**
 * Returns the entity keys for rows about securities: the keys for all symbols of the security and
 * for its filer.
 */
export function securityEntityKeys(
  db: Queryable,
  rows: readonly { securityId: string }[],
  at: Instant | null,
): ProvenanceQuery<SourcedRow>['entityKeysOf'] {
  return async (numbers) => {
    const ids = numbers.map((row) => rows[row]?.securityId ?? '');
    const securities = await loadSecuritiesById(db, [...new Set(ids)], at);
    const byId = new Map(
      securities.map(({ id, symbols, cik }) => [
        id,
        [...symbols.map(({ symbol }) => symbol), ...(cik === null ? [] : [`CIK${cik}`])],
      ]),
    );
    return ids.map((id) => byId.get(id) ?? []);
  };
}
