import { topics } from '../topics.gen.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { staleTopicReader, type StaleTopicReader } from '../changes/stale-topic-reader.ts';
import {
  type DirectoryEntry,
  loadDirectoryEntries,
  loadDirectoryEntriesOf,
} from './directory-entry.ts';
import { inSearchOrder, searchable, type SearchableEntry } from './search.ts';

/** Topics that become stale when a search may have another result. */
export const DIRECTORY_TOPICS = [topics.securities.any, topics.profiles.namesAndKinds];

/** More changed symbols are not worth loading one by one. */
const SYMBOLS_MAX = 1_000;

/**
 * All securities of a store in memory, because a search as someone types must compare every name
 * within milliseconds. It is brought up to date from the commit log before each use, so it never
 * shows less than the store.
 */
class Directory {
  readonly #db: Queryable;
  readonly #commits: StaleTopicReader;
  #entries = new Map<string, SearchableEntry>();
  #inOrder: readonly SearchableEntry[] = [];
  /** New York day of the last complete load: listings end without a commit. */
  #day: LocalDate | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(db: Queryable) {
    this.#db = db;
    this.#commits = staleTopicReader(db);
  }

  /**
   * Returns the current entries in search order. Calls run one after the other, because each has to
   * read the commits since the previous one.
   */
  entries(now: Instant): Promise<readonly SearchableEntry[]> {
    const current = this.#turn.then(
      () => this.#refresh(now),
      () => this.#refresh(now),
    );
    this.#turn = current;
    return current;
  }

  async #refresh(now: Instant): Promise<readonly SearchableEntry[]> {
    const day = newYorkDate(now);
    if (day !== this.#day) {
      this.#day = null;
      await this.#commits.begin();
      await this.#loadAll();
      this.#day = day;
    }
    // If `#apply` fails, its commits are lost, so the next call loads everything again.
    this.#day = null;
    await this.#apply(await this.#commits.read());
    this.#day = day;
    return this.#inOrder;
  }

  async #apply(stale: readonly string[] | 'all'): Promise<void> {
    if (stale === 'all') return this.#loadAll();
    if (!DIRECTORY_TOPICS.some((topic) => stale.includes(topic))) return;
    const symbols = changedSymbols(stale);
    if (symbols.size > SYMBOLS_MAX) return this.#loadAll();
    const changed = await loadDirectoryEntriesOf(this.#db, [...symbols]);
    for (const [id, { entry }] of this.#entries) {
      if (entry.symbols.some((symbol) => symbols.has(symbol))) this.#entries.delete(id);
    }
    this.#add(changed);
  }

  async #loadAll(): Promise<void> {
    const all = await loadDirectoryEntries(this.#db);
    this.#entries = new Map();
    this.#add(all);
  }

  #add(entries: readonly DirectoryEntry[]): void {
    for (const entry of entries) this.#entries.set(entry.securityId, searchable(entry));
    this.#inOrder = inSearchOrder(this.#entries.values());
  }
}

const directories = new WeakMap<Queryable, Directory>();

/** Loads all securities of a store, from memory if nothing changed. */
export function loadDirectory(db: Queryable, now: Instant): Promise<readonly SearchableEntry[]> {
  const { store = db } = db;
  let directory = directories.get(store);
  if (directory === undefined) directories.set(store, (directory = new Directory(store)));
  return directory.entries(now);
}

function changedSymbols(stale: readonly string[]): Set<string> {
  const { securities, profiles } = topics;
  return new Set(
    stale.flatMap((topic) => securities.symbol.keyOf(topic) ?? profiles.symbol.keyOf(topic) ?? []),
  );
}
