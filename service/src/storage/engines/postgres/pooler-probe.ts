import pg from 'pg';
import { MigrationError } from '../../schema/migrate.ts';
import { convertErrors } from './connection-errors.ts';
import { processId } from './connection-settings.ts';

const ROUNDS = 5;

/**
 * Throws if a pooler moves a client from one server connection to another between transactions.
 * Settings and prepared statements would then be lost without a sign. A pooler that gives each
 * client a connection of its own passes.
 */
export async function rejectTransactionPooling(url: string): Promise<void> {
  const clients = [newClient(url), newClient(url)] as const;
  try {
    for (const client of clients) await convertErrors(client.connect());
    if (await isShared(...clients)) {
      throw new MigrationError(
        'DATABASE_POOLER is none, but a connection pooler in transaction mode is between this ' +
          'service and the database: set DATABASE_POOLER to auto or transaction.',
      );
    }
  } finally {
    for (const client of clients) await client.end().catch(() => undefined);
  }
}

/** Returns true if one client had two server processes, or two clients had the same one. */
async function isShared(first: pg.Client, second: pg.Client): Promise<boolean> {
  const owners = new Map<number, pg.Client>();
  const seen = new Map<pg.Client, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const client of [first, second]) {
      // Returns one row.
      const { rows } = await convertErrors(
        client.query<{ pid: number }>('select pg_backend_pid() as pid'),
      );
      const pid = rows[0]?.pid ?? -1;
      if (pid === processId(client)) return false;
      if ((owners.get(pid) ?? client) !== client || (seen.get(client) ?? pid) !== pid) return true;
      owners.set(pid, client);
      seen.set(client, pid);
    }
  }
  return false;
}

function newClient(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'afterbell pooler check',
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
  });
  client.on('error', () => undefined);
  return client;
}
