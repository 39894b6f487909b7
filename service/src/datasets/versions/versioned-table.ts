import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, SqlValue, Transaction } from '../../storage/db.ts';
import { canonicalJson } from '../source-records/canonical-json.ts';

/** What every versioned row has beside its facts. */
export interface Versioned {
  /** Per field: who said what stands, and since when. */
  provenance: Readonly<Record<string, FieldSource>>;
  /** Observation time of the newest change of any fact. */
  updatedAt: Instant;
}

export interface FieldSource {
  provider: string;
  feed: string;
  seenAt: Instant;
}

export type SqlType = 'text' | 'date' | 'numeric' | 'int4' | 'bool' | 'jsonb' | 'timestamptz';

/** How a versioned table is laid out, in one place for reading and writing. */
export interface TableLayout<Version> {
  table: string;
  /** What stays the same through all versions of one thing: the key of what stands. */
  key: readonly [column: string, field: keyof Version & string];
  /** Every field of a version: its column, its name and its type. */
  columns: readonly (readonly [column: string, field: keyof Version & string, type: SqlType])[];
}

/**
 * A table of versions: `known_from` is the commit that wrote one, `known_to` the commit that took
 * it back, null while it stands. Of a thing at most one version stands, by the table's unique index
 * `…_current`.
 */
export interface VersionedTable<Version> {
  /**
   * Versions that meet a condition on `v` and stood at an instant (null: that stand). The caller's
   * comment names the index.
   */
  load(
    db: Queryable,
    at: Instant | null,
    where: string,
    params: readonly SqlValue[],
  ): Promise<Version[]>;
  /** All versions of one thing, oldest first; by the table's index `…_history`. */
  history(db: Queryable, key: string): Promise<VersionPeriod<Version>[]>;
  /** Closes the versions that stand under these keys. */
  close(tx: Transaction, keys: readonly string[], now: Instant): Promise<void>;
  /** Writes versions that stand from now on. */
  insert(tx: Transaction, versions: readonly Version[], now: Instant): Promise<void>;
  keyOf(version: Version): string;
}

/** A version with when it was known: from the commit that wrote it to the one that took it back. */
export interface VersionPeriod<Version> {
  version: Version;
  knownFrom: Instant;
  knownTo: Instant | null;
}

/**
 * What became of one thing: its facts are new or changed, it has the same facts from other sources
 * or since another observation, or it is gone.
 */
export type Difference<Version> =
  | { kind: 'changed'; before: Version | null; after: Version; changedFields: string[] }
  | { kind: 'renewed'; before: Version; after: Version }
  | { kind: 'gone'; before: Version };

/** The versions that a difference is about. */
export function versionsIn<Version>(difference: Difference<Version>): Version[] {
  if (difference.kind === 'gone') return [difference.before];
  return difference.before === null ? [difference.after] : [difference.before, difference.after];
}

export function versionedTable<Version extends object>(
  layout: TableLayout<Version>,
): VersionedTable<Version> {
  const { table, columns } = layout;
  const [keyColumn, keyField] = layout.key;
  const select = columns.map(([column, field]) => `v.${column} as "${field}"`).join(', ');
  const into = columns.map(([column]) => column).join(', ');
  const values = columns.map(([, field, type]) => valueOf(field, type)).join(', ');
  const shape = columns.map(([, field, type]) => `"${field}" ${shapeOf(type)}`).join(', ');

  const load: VersionedTable<Version>['load'] = (db, at, where, params) => {
    const known =
      at === null
        ? 'v.known_to is null'
        : `v.known_from <= to_timestamp($${params.length + 1} / 1000.0)
           and coalesce(v.known_to > to_timestamp($${params.length + 1} / 1000.0), true)`;
    // One row a thing, unordered; by the index that the condition is made for.
    return db.query<Version & Row>(
      `select ${select} from ${table} v where ${known} and (${where})`,
      at === null ? params : [...params, at],
    );
  };

  const history: VersionedTable<Version>['history'] = async (db, key) => {
    // One row a version; by the index that begins with the key, of what stands or ever stood.
    const rows = await db.query<Version & { known_from: Instant; known_to: Instant | null } & Row>(
      `select ${select}, v.known_from, v.known_to from ${table} v
        where v.${keyColumn} = $1 order by v.known_from, v.version_id`,
      [key],
    );
    return rows.map(({ known_from: knownFrom, known_to: knownTo, ...version }) => ({
      version: version as unknown as Version,
      knownFrom,
      knownTo,
    }));
  };

  const close: VersionedTable<Version>['close'] = async (tx, keys, now) => {
    if (keys.length === 0) return;
    // Ends one version a key; by the unique index of what stands.
    await tx.query(
      `update ${table} set known_to = to_timestamp($2 / 1000.0)
        where known_to is null and ${keyColumn} = any($1::text[])`,
      [keys, now],
    );
  };

  const insert: VersionedTable<Version>['insert'] = async (tx, versions, now) => {
    if (versions.length === 0) return;
    // Adds one row a version.
    await tx.query(
      `insert into ${table} (${into}, known_from)
       select ${values}, to_timestamp($2 / 1000.0)
         from jsonb_to_recordset($1::jsonb) as x(${shape})`,
      [JSON.stringify(versions), now],
    );
  };

  function keyOf(version: Version): string {
    return String(version[keyField]);
  }

  return { load, history, close, insert, keyOf };
}

/**
 * Puts what is derived now in the place of what stood for the same things, and tells what became of
 * each; of what is the same nothing is written or told. A version that differs in its sources alone
 * is a version too: nothing is written over, so that what was shown can be shown again. `changed`
 * names the facts in which two versions differ; before null: the facts known.
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
  const differences = differencesOf(parts, table.keyOf);
  const written = differences.flatMap((difference) =>
    difference.kind === 'gone' ? [] : [difference.after],
  );
  const removed = differences.flatMap((difference) =>
    difference.kind === 'gone' ? [difference.before] : [],
  );
  await table.close(tx, [...written, ...removed].map(table.keyOf), now);
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
    } else if (!isSameSource(before, after)) {
      differences.push({ kind: 'renewed', before, after });
    }
  }
  for (const before of current.values()) differences.push({ kind: 'gone', before });
  return differences;
}

function isSameSource(a: Versioned, b: Versioned): boolean {
  return a.updatedAt === b.updatedAt && canonicalJson(a.provenance) === canonicalJson(b.provenance);
}

/** Instants come as milliseconds in JSON. */
function valueOf(field: string, type: SqlType): string {
  return type === 'timestamptz' ? `to_timestamp(x."${field}" / 1000.0)` : `x."${field}"`;
}

function shapeOf(type: SqlType): string {
  return type === 'timestamptz' ? 'float8' : type;
}
