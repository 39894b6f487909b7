import type { Instant } from '../../platform/instant.ts';
import { loadInSlices } from '../../platform/slices.ts';
import type { Queryable, Row, SqlValue, Transaction } from '../../storage/db.ts';
import { canonicalJson } from '../source-records/canonical-json.ts';

/** Number of versions that one query loads for a long list: some hundred kB. */
const SLICE_SIZE = 50;

/** Fields that every versioned row has in addition to its facts. */
export interface Versioned {
  /** Source of each field, with the instant since which its value has been unchanged. */
  provenance: Readonly<Record<string, FieldSource>>;
  /** Time of the observation that last changed any fact. */
  updatedAt: Instant;
}

/** The place of a value in a document. */
export interface DocumentCell {
  /** Label of the row, or the sentence for a value from prose. */
  row: string;
  /** Head of the column; null for a value from prose. */
  column: string | null;
  /** Position in the document, in UTF-16 code units. */
  offset: number;
}

export interface FieldSource {
  provider: string;
  feed: string;
  seenAt: Instant;
  /** Place of the value, if it was read from a document for people. */
  cell?: DocumentCell;
}

export type SqlType = 'text' | 'date' | 'numeric' | 'int4' | 'bool' | 'jsonb' | 'timestamptz';

/** Layout of a versioned table, used for reading and writing. */
export interface TableLayout<Version> {
  table: string;
  /** Identifies an entity through all its versions. */
  key: readonly [column: string, field: keyof Version & string];
  /** All fields of a version. */
  columns: readonly (readonly [column: string, field: keyof Version & string, type: SqlType])[];
}

/** A version with the commits that wrote and closed it. */
export interface VersionPeriod<Version> {
  version: Version;
  knownFrom: Instant;
  /** Null for the current version. */
  knownTo: Instant | null;
}

/**
 * A change to one entity: new or changed facts, a change only in sources or observation times, or a
 * removal.
 */
export type Difference<Version> =
  | { kind: 'changed'; before: Version | null; after: Version; changedFields: string[] }
  | { kind: 'renewed'; before: Version; after: Version }
  | { kind: 'removed'; before: Version };

/** Returns the versions in a difference. */
export function versionsIn<Version>(difference: Difference<Version>): Version[] {
  if (difference.kind === 'removed') return [difference.before];
  return difference.before === null ? [difference.after] : [difference.before, difference.after];
}

/**
 * A table of versions. `known_from` is the time of the commit that wrote a version, and `known_to`
 * that of the commit that closed it; null for the current version. The unique index `…_current`
 * allows one current version per entity.
 */
export class VersionedTable<Version extends object> {
  readonly #table: string;
  readonly #keyColumn: string;
  readonly #keyField: string;
  /** SQL list of all columns of a version `v`, named as its fields. */
  readonly selection: string;
  readonly #selectOf: ReadonlyMap<string, string>;
  readonly #insert: string;

  constructor({ table, key: [keyColumn, keyField], columns }: TableLayout<Version>) {
    this.#table = table;
    this.#keyColumn = keyColumn;
    this.#keyField = keyField;
    this.#selectOf = new Map(
      columns.map(([column, field]) => [field, `v.${column} as "${field}"`]),
    );
    this.selection = [...this.#selectOf.values()].join(', ');
    const names = columns.map(([column]) => column).join(', ');
    const values = columns.map(([, field, type]) => valueOf(field, type)).join(', ');
    const shape = columns.map(([, field, type]) => `"${field}" ${jsonType(type)}`).join(', ');
    this.#insert = `insert into ${table} (${names}, known_from)
       select ${values}, to_timestamp($2 / 1000.0)
         from jsonb_to_recordset($1::jsonb) as x(${shape})`;
  }

  /**
   * Loads versions that meet a condition on `v`, either current or as of an instant. The caller's
   * comment states which index is used.
   */
  load(
    db: Queryable,
    at: Instant | null,
    where: string,
    params: readonly SqlValue[],
  ): Promise<Version[]> {
    return this.#load<Version>(db, at, this.selection, where, params);
  }

  /**
   * Like `load`, but loads the keys first and then a few versions at a time, so that no query keeps
   * the store busy for long. A version that a commit replaces meanwhile is the new one, or absent if
   * that no longer meets the condition.
   */
  async loadInSlices(
    db: Queryable,
    at: Instant | null,
    where: string,
    params: readonly SqlValue[],
  ): Promise<Version[]> {
    const keys = await this.#load<{ key: string }>(
      db,
      at,
      `v.${this.#keyColumn} as key`,
      where,
      params,
    );
    const ids = keys.map(({ key }) => key);
    const isInSlice = `v.${this.#keyColumn} = any($${params.length + 1}::text[])`;
    return loadInSlices(ids, SLICE_SIZE, (slice) =>
      this.load(db, at, `(${where}) and ${isInSlice}`, [...params, slice]),
    );
  }

  /** Like `load`, but loads only some fields of each version. */
  loadFields<Field extends keyof Version & string>(
    db: Queryable,
    at: Instant | null,
    fields: readonly Field[],
    where: string,
    params: readonly SqlValue[],
  ): Promise<Pick<Version, Field>[]> {
    const select = fields.map((field) => this.#selectOf.get(field)).join(', ');
    return this.#load<Pick<Version, Field>>(db, at, select, where, params);
  }

  #load<Fields extends object>(
    db: Queryable,
    at: Instant | null,
    select: string,
    where: string,
    params: readonly SqlValue[],
  ): Promise<Fields[]> {
    const instant = `to_timestamp($${params.length + 1} / 1000.0)`;
    const current =
      at === null
        ? 'v.known_to is null'
        : `v.known_from <= ${instant} and coalesce(v.known_to > ${instant}, true)`;
    // Returns one row per entity, unordered. Uses the index that fits the condition.
    return db.query<Fields & Row>(
      `select ${select} from ${this.#table} v where ${current} and (${where})`,
      at === null ? params : [...params, at],
    );
  }

  /** Loads all versions of one entity, oldest first. Uses the table's index `…_history`. */
  async history(db: Queryable, key: string): Promise<VersionPeriod<Version>[]> {
    // Returns one row per version.
    const rows = await db.query<Version & { known_from: Instant; known_to: Instant | null } & Row>(
      `select ${this.selection}, v.known_from, v.known_to from ${this.#table} v
        where v.${this.#keyColumn} = $1 order by v.known_from, v.version_id`,
      [key],
    );
    return rows.map(({ known_from: knownFrom, known_to: knownTo, ...version }) => ({
      version: version as unknown as Version,
      knownFrom,
      knownTo,
    }));
  }

  /** Closes the current versions of these keys. */
  async close(tx: Transaction, keys: readonly string[], now: Instant): Promise<void> {
    if (keys.length === 0) return;
    // Updates one row per key. Uses the unique index of current versions.
    await tx.query(
      `update ${this.#table} set known_to = to_timestamp($2 / 1000.0)
        where known_to is null and ${this.#keyColumn} = any($1::text[])`,
      [keys, now],
    );
  }

  /** Inserts versions that are current from `now` on. */
  async insert(tx: Transaction, versions: readonly Version[], now: Instant): Promise<void> {
    if (versions.length === 0) return;
    // Inserts one row per version.
    await tx.query(this.#insert, [JSON.stringify(versions), now]);
  }

  keyOf(version: Version): string {
    return String(Reflect.get(version, this.#keyField));
  }
}

/**
 * Replaces the current versions with the derived ones and returns the differences. Equal versions
 * are not written. A version that differs only in its sources is also written, and nothing is
 * overwritten, so that every historical response can be reproduced. `changed` returns the names of
 * the facts that differ between two versions; if `before` is null, these are the known facts.
 */
export async function replaceVersions<Version extends Versioned>(
  table: VersionedTable<Version>,
  tx: Transaction,
  parts: {
    before: readonly Version[];
    after: readonly Version[];
    changed: (before: Version | null, after: Version) => string[];
  },
  now: Instant,
): Promise<Difference<Version>[]> {
  const keyOf = (version: Version): string => table.keyOf(version);
  const differences = differencesOf(parts, keyOf);
  const written = differences.flatMap((difference) =>
    difference.kind === 'removed' ? [] : [difference.after],
  );
  const removed = differences.flatMap((difference) =>
    difference.kind === 'removed' ? [difference.before] : [],
  );
  await table.close(tx, [...written, ...removed].map(keyOf), now);
  await table.insert(tx, written, now);
  return differences;
}

function differencesOf<Version extends Versioned>(
  parts: Parameters<typeof replaceVersions<Version>>[2],
  keyOf: (version: Version) => string,
): Difference<Version>[] {
  const current = new Map(parts.before.map((version) => [keyOf(version), version]));
  const differences: Difference<Version>[] = [];
  for (const after of parts.after) {
    const before = current.get(keyOf(after)) ?? null;
    current.delete(keyOf(after));
    const changedFields = parts.changed(before, after);
    if (before === null || changedFields.length > 0) {
      differences.push({ kind: 'changed', before, after, changedFields });
    } else if (!hasSameSources(before, after)) {
      differences.push({ kind: 'renewed', before, after });
    }
  }
  for (const before of current.values()) differences.push({ kind: 'removed', before });
  return differences;
}

function hasSameSources(a: Versioned, b: Versioned): boolean {
  return a.updatedAt === b.updatedAt && canonicalJson(a.provenance) === canonicalJson(b.provenance);
}

/** Returns the SQL expression for a field. Instants are milliseconds in JSON and are converted. */
function valueOf(field: string, type: SqlType): string {
  return type === 'timestamptz' ? `to_timestamp(x."${field}" / 1000.0)` : `x."${field}"`;
}

function jsonType(type: SqlType): string {
  return type === 'timestamptz' ? 'float8' : type;
}
