import type { LocalDate } from '../domain/local-date.ts';
import type { Instant } from '../platform/instant.ts';
import type { Queryable, Row, SqlValue } from '../storage/db.ts';
import type { Explore } from './explore.ts';
import { canonicalJson } from './source-records/canonical-json.ts';
import { loadHistories } from './source-records/load.ts';
import { latest, type ObservationHistory } from './source-records/observation-history.ts';
import type { VersionPeriod, Versioned } from './versions/versioned-table.ts';

/** A fact in a list. */
export interface FactListItem {
  id: string;
  symbol: string | null;
  title: string | null;
  day: LocalDate | null;
  updatedAt: Instant;
}

export interface FactFilter {
  text?: string | undefined;
  symbol?: string | undefined;
  day?: LocalDate | undefined;
  /** Cursor for the last fact on the previous page. */
  before?: FactCursor | undefined;
  limit: number;
}

/** Position of a fact in the list: its day or symbol, then its id. */
export type FactCursor = Readonly<{ first: string; id: string }>;

/** Returns a page of current facts, ordered by day with the latest first, or by symbol. */
export async function searchFacts(
  db: Queryable,
  explore: Explore,
  filter: FactFilter,
): Promise<FactListItem[]> {
  const { key, symbol, title, day } = explore;
  const { text, before, limit } = filter;
  const params: SqlValue[] = [];
  const conditions = ['v.known_to is null'];
  function add(condition: (placeholder: string) => string, value: SqlValue | undefined): void {
    if (value === undefined) return;
    params.push(value);
    conditions.push(condition(`$${params.length}`));
  }
  // A filter on a property that the data set does not have matches no facts.
  if (filter.symbol !== undefined && explore.hasSymbol === null) return [];
  if (filter.day !== undefined && day === null) return [];
  add(explore.hasText, text);
  if (explore.hasSymbol !== null) add(explore.hasSymbol, filter.symbol);
  add((placeholder) => `${day} = ${placeholder}`, filter.day);
  const first = day ?? symbol ?? `v.${key}`;
  if (before !== undefined) {
    params.push(before.first, before.id);
    const cursor = `($${params.length - 1}, $${params.length})`;
    conditions.push(`(${first}, v.${key}) ${day === null ? '>' : '<'} ${cursor}`);
  }
  params.push(limit);
  const order = day === null ? `${first}, v.${key}` : `${first} desc, v.${key} desc`;
  // Returns a page of rows. Uses the index on the day or the security, or scans a few thousand
  // rows.
  return db.query<FactListItem & Row>(
    `select v.${key} as id, ${symbol ?? 'null'} as symbol, ${title} as title,
            ${day ?? 'null'} as day, v.updated_at as "updatedAt"
       from ${explore.table} v where ${conditions.join(' and ')}
      order by ${order} limit $${params.length}`,
    params,
  );
}

/** Returns the cursor for a list item. */
export function cursorOf({ id, symbol, day }: FactListItem): FactCursor {
  return { first: day ?? symbol ?? id, id };
}

/** A fact with all its versions and observations. */
export interface FullFact {
  /** The current version, or the last version of a removed fact. */
  current: VersionPeriod<Versioned>;
  facts: Readonly<Record<string, unknown>>;
  /** Newest first. */
  versions: FactVersion[];
  observations: FactObservation[];
}

export interface FactVersion {
  knownFrom: Instant;
  knownTo: Instant | null;
  /** Fields that differ from the previous version. For the first version, every known field. */
  changedFields: string[];
  facts: Readonly<Record<string, unknown>>;
}

/** A value that a feed reported. If the value changed over time, the feed has several. */
export interface FactObservation {
  recordId: number;
  provider: string;
  feed: string;
  entityKey: string;
  naturalKey: string;
  fields: object;
  firstSeenAt: Instant;
  lastSeenAt: Instant;
  /** True for the feed's latest value. */
  isLatest: boolean;
}

/** Loads a fact, or returns null if it never existed. */
export async function loadFact(
  db: Queryable,
  dataset: string,
  explore: Explore,
  id: string,
): Promise<FullFact | null> {
  const versions = await explore.versions.history(db, id);
  const current = versions.at(-1);
  if (current === undefined) return null;
  const { version } = current;
  const entityKeys = await explore.entityKeysOf(db, version);
  const histories = await loadHistories<object>(db, dataset, entityKeys);
  const observations = histories
    .flatMap(factObservationsOf)
    .filter(({ fields }) => explore.isAbout(fields, version))
    .toSorted((a, b) => b.lastSeenAt - a.lastSeenAt || a.recordId - b.recordId);
  return {
    current,
    facts: explore.factsOf(version),
    observations,
    versions: factVersionsOf(explore, versions).toReversed(),
  };
}

/** Returns one item per record in the history, no matter how often the record was observed. */
function factObservationsOf(history: ObservationHistory<object>): FactObservation[] {
  const { observations, ...feedAndKey } = history;
  const latestId = latest(history).recordId;
  const byRecord = Map.groupBy(observations, ({ recordId }) => recordId);
  return [...byRecord].flatMap(([recordId, [first, ...repeats]]) => {
    if (first === undefined) return [];
    const { fields, at: firstSeenAt } = first;
    const lastSeenAt = repeats.at(-1)?.at ?? firstSeenAt;
    const isLatest = recordId === latestId;
    return [{ ...feedAndKey, recordId, fields, firstSeenAt, lastSeenAt, isLatest }];
  });
}

function factVersionsOf(
  explore: Explore,
  versions: readonly VersionPeriod<Versioned>[],
): FactVersion[] {
  let before: Readonly<Record<string, unknown>> = {};
  return versions.map(({ version, knownFrom, knownTo }) => {
    const facts = explore.factsOf(version);
    const changedFields = changedBetween(before, facts);
    before = facts;
    return { knownFrom, knownTo, changedFields, facts };
  });
}

function changedBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter(
    (name) => canonicalJson(before[name] ?? null) !== canonicalJson(after[name] ?? null),
  );
}
