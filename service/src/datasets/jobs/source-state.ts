import type { Queryable } from '../../storage/db.ts';

/**
 * Returns the saved requests and cooldown of a source, or of one of its hosts; null if nothing was
 * saved.
 */
export async function loadSourceState(
  db: Queryable,
  provider: string,
  host: string | null,
): Promise<object | null> {
  // Returns at most one row.
  const rows = await db.query<{ state: object }>(
    `select state from source_state where provider = $1 and host = $2`,
    [provider, host ?? ''],
  );
  return rows[0]?.state ?? null;
}

export async function saveSourceState(
  db: Queryable,
  { provider, host, state }: { provider: string; host: string | null; state: object },
): Promise<void> {
  // Inserts or updates one row.
  await db.query(
    `insert into source_state (provider, host, state) values ($1, $2, $3::jsonb)
     on conflict (provider, host) do update set state = excluded.state`,
    [provider, host ?? '', JSON.stringify(state)],
  );
}
