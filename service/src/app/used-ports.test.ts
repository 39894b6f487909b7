import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { emptyPostgres } from '../../test/support/empty-postgres.ts';
import { memoryLog } from '../../test/support/logs.ts';
import { readSettings, SettingsError } from '../config/settings.ts';
import { systemClock } from '../platform/clock.ts';
import { createShutdown } from '../platform/shutdown.ts';
import { openPostgres } from '../storage/engines/postgres/postgres.ts';
import { startAll, startServe, startWork } from './app.ts';

test.each([
  ['start', 'PORT', startAll],
  ['serve', 'PORT', startServe],
  ['work', 'METRICS_PORT', startWork],
] as const)(
  '%s leaves the database unchanged if its %s is in use',
  async (_role, setting, start) => {
    const empty = await emptyPostgres();
    if ('missing' in empty) return;
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const port = String((other.address() as AddressInfo).port);
    const env = { DATABASE_URL: empty.url, PORT: '0', [setting]: port };
    const settings = readSettings({ flags: {}, env, cwd: '/srv', sources: [] });
    const [clock, log] = [systemClock(), memoryLog()];
    const shutdown = createShutdown({ clock, log, limitMs: 30_000, process: quietProcess });
    const starting = start({ settings, kind: 'live', clock, log, shutdown });
    await expect(starting).rejects.toBeInstanceOf(SettingsError);
    await expect(starting).rejects.toThrow(`port ${port} of 127.0.0.1 is in use`);
    const db = openPostgres({ url: empty.url });
    // Returns no row, because the database has no tables.
    expect(await db.query("select 1 from pg_tables where schemaname = 'public'")).toEqual([]);
    await db.close();
  },
);

/** Receives no signals and does not end. */
const quietProcess = { on: () => undefined, exit: () => undefined };
