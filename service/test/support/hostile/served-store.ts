import { onTestFinished } from 'vitest';
import { COMMAND_LINE } from '../../../src/accounts/audit-log.ts';
import { createCustomer } from '../../../src/accounts/customers/customers.ts';
import { createKey } from '../../../src/accounts/keys/create-key.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { systemRandom } from '../../../src/platform/random.ts';
import { claimMarker } from '../../../src/storage/marker.ts';
import { scratchFolder } from '../afterbell-process.ts';
import { startRole } from '../roles/start-role.ts';
import { postgresStore } from '../stores.ts';

const SLOW_STORE = 'store did not respond within';

/** A server in its own process on an empty store, with a key without limits. */
export interface ServedStore {
  port: number;
  pid: number | undefined;
  key: string;
  /** Returns whether the server has exited, and its error logs except those about a slow store. */
  state(): { hasExited: boolean; errors: string[] };
}

/**
 * Serves an empty store, or returns the reason if PostgreSQL is missing. The server stops with the
 * test.
 */
export async function serveEmptyStore(): Promise<ServedStore | { missing: string }> {
  const store = await postgresStore();
  if ('missing' in store) return store;
  const { db, url } = store;
  onTestFinished(() => db.close());
  const deps = { db, clock: systemClock(), random: systemRandom() };
  await claimMarker(db, 'kind', 'live');
  await db.query(`insert into plan (name, per_minute) values ('endless', 1000000000)`);
  const customer = await createCustomer(deps, { name: 'Reader', plan: 'endless' }, COMMAND_LINE);
  if (customer.kind !== 'created') throw new Error(customer.kind);
  const keyOptions = { customerId: customer.customer.id, kind: 'live' } as const;
  const key = await createKey(deps, keyOptions, COMMAND_LINE);
  if (key.kind !== 'created') throw new Error(key.kind);
  const { child, output } = await startRole('serve', { url, folder: scratchFolder() });
  return {
    port: Number(/^ready .*:(\d+)/m.exec(output.stdout)?.[1]),
    pid: child.pid,
    key: key.key,
    state: () => ({
      hasExited: child.exitCode !== null || child.signalCode !== null,
      errors: output.stderr
        .split('\n')
        .filter((line) => line.includes('"level":"error"') && !line.includes(SLOW_STORE)),
    }),
  };
}
