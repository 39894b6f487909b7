import type { Queryable } from '../storage/db.ts';
import type { Versioned, VersionedTable } from './versions/versioned-table.ts';

/** Lets operators browse the facts in a data set. SQL expressions refer to a version as `v`. */
export interface Explore {
  table: string;
  /** Column with the fact's key. */
  key: string;
  versions: VersionedTable<Versioned>;
  /** SQL expression for the title of a fact in a list. */
  title: string;
  /** Null if facts have no symbol. */
  symbol: string | null;
  /** The day that orders the list, latest first. If null, the list is ordered by symbol. */
  day: string | null;
  /** Returns an SQL condition for facts that contain the placeholder's text. */
  hasText(placeholder: string): string;
  /**
   * Returns an SQL condition for facts about the placeholder's symbol. Null if facts have no
   * symbol.
   */
  hasSymbol: ((placeholder: string) => string) | null;
  /** Returns the facts of a version, without sources. */
  factsOf(version: Versioned): Readonly<Record<string, unknown>>;
  /** Returns the entity keys under which sources report the fact. */
  entityKeysOf(db: Queryable, version: Versioned): Promise<string[]>;
  /**
   * Returns whether an observation under these keys is about this fact or one very similar to it.
   */
  isAbout(fields: object, version: Versioned): boolean;
}

/** Ensures that the version and observation types match. */
export function defineExplore<Version extends Versioned, Fields extends object>(
  explore: Omit<Explore, 'versions' | 'factsOf' | 'entityKeysOf' | 'isAbout'> & {
    versions: VersionedTable<Version>;
    factsOf?(version: Version): Readonly<Record<string, unknown>>;
    entityKeysOf(db: Queryable, version: Version): Promise<string[]>;
    isAbout(fields: Fields, version: Version): boolean;
  },
): Explore {
  const { versions, factsOf = withoutSources, entityKeysOf, isAbout, ...rest } = explore;
  return {
    ...rest,
    versions,
    factsOf: (version) => factsOf(version as Version),
    entityKeysOf: (db, version) => entityKeysOf(db, version as Version),
    isAbout: (fields, version) => isAbout(fields as Fields, version as Version),
  };
}

function withoutSources(version: Versioned): Record<string, unknown> {
  const { provenance: _provenance, updatedAt: _updatedAt, ...facts } = version;
  return facts;
}

/**
 * Returns an SQL condition for companies whose name contains the text or whose symbol begins with
 * it.
 */
export function companyMatches(placeholder: string): string {
  return `v.security_id = any(array(
    select s.id from security s
     where starts_with(s.symbol, upper(${placeholder}))
        or position(lower(${placeholder}) in lower(s.name)) > 0
     order by length(s.symbol), s.symbol limit 500))`;
}

/** Returns an SQL condition for companies that have or had the symbol. */
export function companyHasSymbol(placeholder: string): string {
  return `v.security_id = any(array(
    select y.security_id from security_symbol y where y.symbol = ${placeholder}))`;
}
