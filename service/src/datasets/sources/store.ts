import type { Db, Queryable, Row } from '../../storage/db.ts';

/** A source as the store knows it: what is told of it where providers are not known. */
export interface StoredSource {
  name: string;
  title: string;
  homepage: string;
  /** Whether its terms let its data be shown to third parties. */
  redistribution: string;
  terms: string;
  /** Whether this store's facts are asked of it. */
  isAsked: boolean;
  feeds: { name: string; datasets: string[] }[];
}

/** Every source, by name. */
export function loadSources(db: Queryable): Promise<StoredSource[]> {
  // All rows, a dozen: a scan.
  return db.query<StoredSource & Row>(
    `select name, title, homepage, redistribution, terms, is_asked as "isAsked", feeds
       from source order by name`,
  );
}

/**
 * Puts these in the place of all that were known: what a start knows of sources. Processes that start
 * at once do not trip over each other.
 */
export async function replaceSources(db: Db, sources: readonly StoredSource[]): Promise<void> {
  await db.transaction(async (tx) => {
    // No rows; waits for another start that does the same.
    await tx.query('lock table source in share row exclusive mode');
    // Removes all rows, a dozen.
    await tx.query('delete from source');
    // Adds one row a source.
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
