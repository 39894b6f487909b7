import type { Db, Queryable, Row } from '../../storage/db.ts';

/** A source as stored, for processes that do not have its provider. */
export interface StoredSource {
  name: string;
  title: string;
  homepage: string;
  /** The source's terms for showing its data to third parties. */
  redistribution: string;
  terms: string;
  /** True if this store fetches from the source. */
  isAsked: boolean;
  feeds: { name: string; datasets: string[] }[];
}

/** Loads all sources, ordered by name. */
export function loadSources(db: Queryable): Promise<StoredSource[]> {
  // Returns about a dozen rows.
  return db.query<StoredSource & Row>(
    `select name, title, homepage, redistribution, terms, is_asked as "isAsked", feeds
       from source order by name`,
  );
}

/**
 * Replaces all stored sources with those available at this start. Processes that start at the same
 * time wait for each other.
 */
export async function replaceSources(db: Db, sources: readonly StoredSource[]): Promise<void> {
  await db.transaction(async (tx) => {
    // Returns no rows. Waits for a concurrent start.
    await tx.query('lock table source in share row exclusive mode');
    // Deletes about a dozen rows.
    await tx.query('delete from source');
    // Inserts one row per source.
    await tx.query(
      `insert into source (name, title, homepage, redistribution, terms, is_asked, feeds)
       select name, title, homepage, redistribution, terms, "isAsked", feeds
         from jsonb_to_recordset($1::jsonb)
           as x(name text, title text, homepage text, redistribution text, terms text,
                "isAsked" bool, feeds jsonb)`,
      [JSON.stringify(sources)],
    );
  });
}
