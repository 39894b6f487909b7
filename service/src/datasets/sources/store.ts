import type { Db, Queryable, Row } from '../../storage/db.ts';

/** A source as stored, for processes without its provider. */
export interface StoredSource {
  name: string;
  title: string;
  homepage: string;
  /** True if its terms allow its data to be shown to third parties. */
  redistribution: string;
  terms: string;
  /** True if this store fetches from it. */
  isAsked: boolean;
  feeds: { name: string; datasets: string[] }[];
}

/** All sources, by name. */
export function loadSources(db: Queryable): Promise<StoredSource[]> {
  // About a dozen rows.
  return db.query<StoredSource & Row>(
    `select name, title, homepage, redistribution, terms, is_asked as "isAsked", feeds
       from source order by name`,
  );
}

/**
 * Replaces all stored sources with those of this start. Processes that start at the same time wait
 * for each other.
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
