import { postgresStore } from './stores.ts';

/** The URL of a database without tables, or the reason why there is no server. */
export async function emptyPostgres(): Promise<{ url: string } | { missing: string }> {
  const made = await postgresStore();
  if ('missing' in made) return made;
  await made.db.execute('drop schema public cascade; create schema public');
  await made.db.close();
  return { url: made.url };
}
