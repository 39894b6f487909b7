import type { LocalDate } from '../domain/local-date.ts';
import type { Instant } from '../platform/instant.ts';
import type { Queryable, Row, SqlValue } from '../storage/db.ts';
import type { Explore } from './explore.ts';
import { canonicalJson } from './source-records/canonical-json.ts';
import { loadHistories } from './source-records/load.ts';
import type { VersionPeriod, Versioned } from './versions/versioned-table.ts';

/** One line of a list of facts. */
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
  /** The place of the last one seen. */
  before?: FactCursor | undefined;
  limit: number;
}

/** Where a fact is in the list: its day or symbol, and its id. */
export type FactCursor = Readonly<{ first: string; id: string }>;

/** A page of the facts that stand: the latest days first, or by symbol. */
export async function searchFacts(
  db: Queryable,
  explore: Explore,
  asked: FactFilter,
): Promise<FactListItem[]> {
  const { key, symbol, title, day } = explore;
  const { text, before, limit } = asked;
  const params: SqlValue[] = [];
  const conditions = ['v.known_to is null'];
  function add(condition: (place: string) => string, value: SqlValue | undefined): void {
    if (value === undefined) return;
    params.push(value);
    conditions.push(condition(`$${params.length}`));
  }
  // What a data set has not, none of its facts has.
  if (asked.symbol !== undefined && explore.hasSymbol === null) return [];
  if (asked.day !== undefined && day === null) return [];
  add(explore.hasText, text);
  if (explore.hasSymbol !== null) add(explore.hasSymbol, asked.symbol);
  add((place) => `${day} = ${place}`, asked.day);
  const first = day ?? symbol ?? `v.${key}`;
  if (before !== undefined) {
    params.push(before.first, before.id);
    const places = `($${params.length - 1}, $${params.length})`;
    conditions.push(`(${first}, v.${key}) ${day === null ? '>' : '<'} ${places}`);
  }
  params.push(limit);
  const order = day === null ? `${first}, v.${key}` : `${first} desc, v.${key} desc`;
  // A page of rows: by the index of the day, of the security, or a scan of some thousand rows.
  return db.query<FactListItem & Row>(
    `select v.${key} as id, ${symbol ?? 'null'} as symbol, ${title} as title,
            ${day ?? 'null'} as day, v.updated_at as "updatedAt"
       from ${explore.table} v where ${conditions.join(' and ')}
      order by ${order} limit $${params.length}`,
    params,
  );
}

/** Where a line of the list is. */
export function cursorOf({ id, symbol, day }: FactListItem): FactCursor {
  return { first: day ?? symbol ?? id, id };
}

/** A fact with all that was ever known and said of it. */
export interface FullFact {
  /** The version that stands, or, of a fact that is gone, the last one. */
  current: VersionPeriod<Versioned>;
  facts: Readonly<Record<string, unknown>>;
  /** The newest first. */
  versions: FactVersion[];
  observations: FactObservation[];
}

export interface FactVersion {
  knownFrom: Instant;
  knownTo: Instant | null;
  /** Against the version before; of the first all facts known. */
  changedFields: string[];
  facts: Readonly<Record<string, unknown>>;
}

/** What one feed says of it; several when it changed its word. */
export interface FactObservation {
  recordId: number;
  provider: string;
  feed: string;
  entityKey: string;
  naturalKey: string;
  fields: object;
  firstSeenAt: Instant;
  lastSeenAt: Instant;
  /** Whether it is the last word of its feed. */
  isLatest: boolean;
}

/** Null when no such fact ever was. */
export async function loadFact(
  db: Queryable,
  dataset: string,
  explore: Explore,
  id: string,
): Promise<FullFact | null> {
  const history = await explore.versions.history(db, id);
  const current = history.at(-1);
  if (current === undefined) return null;
  const { version } = current;
  const entityKeys = await explore.entityKeysOf(db, version);
  const histories = await loadHistories<object>(db, dataset, entityKeys);
  const observations = histories.flatMap((thread): FactObservation[] => {
    const { provider, feed, entityKey, naturalKey, observations: sightings } = thread;
    const last = sightings.at(-1)?.recordId;
    return [...Map.groupBy(sightings, ({ recordId }) => recordId).values()].flatMap((seen) => {
      const [first, latest] = [seen[0], seen.at(-1)];
      if (first === undefined || latest === undefined) return [];
      const { recordId, fields, at: firstSeenAt } = first;
      if (!explore.isAbout(fields, version)) return [];
      const times = { firstSeenAt, lastSeenAt: latest.at, isLatest: recordId === last };
      return [{ recordId, provider, feed, subject: entityKey, naturalKey, fields, ...times }];
    });
  });
  observations.sort((a, b) => b.lastSeenAt - a.lastSeenAt || a.recordId - b.recordId);
  return {
    current,
    facts: explore.factsOf(version),
    observations,
    versions: versionsOf(explore, history).toReversed(),
  };
}

function versionsOf(explore: Explore, history: readonly VersionPeriod<Versioned>[]): FactVersion[] {
  let before: Readonly<Record<string, unknown>> = {};
  return history.map(({ version, knownFrom, knownTo }) => {
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
