import { postgresStore } from './stores.ts';

/** Returns the URL of a database without tables, or the reason why there is no server. */
export async function emptyPostgres(): Promise<{ url: string } | { missing: string }> {
  const store = await postgresStore();
  if ('missing' in store) return store;
  await store.db.execute('drop schema public cascade; create schema public');
  await store.db.close();
  return { url: store.url };
}
