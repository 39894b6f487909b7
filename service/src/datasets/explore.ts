import type { Queryable } from '../storage/db.ts';
import type { Versioned, VersionedTable } from './versions/versioned-table.ts';

/** How the facts of a data set are looked through, one by one. SQL here is over `v`, one version. */
export interface Explore {
  /** The table and the column of its key. */
  table: string;
  key: string;
  versions: VersionedTable<Versioned>;
  /** What a fact is called in a list. */
  title: string;
  /** Null where facts are about no symbols. */
  symbol: string | null;
  /** The day by which facts are listed, latest first; null: they are listed by symbol. */
  day: string | null;
  /** A condition that holds for facts in which the text of this place is found. */
  hasText(place: string): string;
  /** The same of a symbol; null where facts are about none. */
  hasSymbol: ((place: string) => string) | null;
  /** The facts of a version, without sources. */
  factsOf(version: Versioned): Readonly<Record<string, unknown>>;
  /** Under which subjects sources speak of it. */
  entityKeysOf(db: Queryable, version: Versioned): Promise<string[]>;
  /** Whether an observation under these subjects speaks of this fact, or of one so near it. */
  isAbout(fields: object, version: Versioned): boolean;
}

/** Keeps the types of versions and observations together. */
export function defineExplore<Version extends Versioned, Fields extends object>(
  explore: Omit<Explore, 'versions' | 'factsOf' | 'subjectsOf' | 'isAbout'> & {
    versions: VersionedTable<Version>;
    factsOf?(version: Version): Readonly<Record<string, unknown>>;
    entityKeysOf(db: Queryable, version: Version): Promise<string[]>;
    isAbout(fields: Fields, version: Version): boolean;
  },
): Explore {
  const { versions, factsOf = plainFacts, entityKeysOf: subjectsOf, isAbout, ...rest } = explore;
  return {
    ...rest,
    versions,
    factsOf: (version) => factsOf(version as Version),
    entityKeysOf: (db, version) => subjectsOf(db, version as Version),
    isAbout: (fields, version) => isAbout(fields as Fields, version as Version),
  };
}

function plainFacts(version: Versioned): Record<string, unknown> {
  const { provenance: _sources, updatedAt: _at, ...facts } = version;
  return facts;
}

/** Facts of companies whose name contains the text or whose symbol begins with it. */
export function ofCompaniesWith(place: string): string {
  return `v.security_id = any(array(
    select s.id from security s
     where starts_with(s.symbol, upper(${place})) or position(lower(${place}) in lower(s.name)) > 0
     order by length(s.symbol), s.symbol limit 500))`;
}

/** Facts of companies that have or had the symbol. */
export function ofCompaniesCalled(place: string): string {
  return `v.security_id = any(array(
    select y.security_id from security_symbol y where y.symbol = ${place}))`;
}
