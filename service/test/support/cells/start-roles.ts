import type { AppOptions } from '../../../src/app/context.ts';
import { readSettings, type Settings } from '../../../src/config/settings.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createShutdown, type Shutdown } from '../../../src/platform/shutdown.ts';
import { silentLog } from '../logs.ts';

/** The tests' encryption key, as the setting SECRETS_KEY. */
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

/** Sends no signals and does not exit. */
const QUIET_PROCESS = { on: () => undefined, exit: () => undefined };

/** Options for the roles of one store, which run in the process of the test. */
export function startRoles(
  url: string,
  receivers: number,
): {
  options(changed?: Partial<Settings>): AppOptions;
  stop(): Promise<void>;
} {
  const clock = systemClock();
  const settings = readSettings({
    flags: { databaseUrl: url, sources: 'files', port: '0' },
    env: { SECRETS_KEY, WEBHOOK_DEV_ALLOW: `127.0.0.1:${receivers}`, DRAIN_SECONDS: '0' },
    cwd: '/tmp',
    sources: [{ name: 'files', settings: [] }],
  });
  const shutdowns: Shutdown[] = [];
  return {
    options(changed = {}) {
      const shutdown = createShutdown({ clock, log: silentLog, process: QUIET_PROCESS });
      shutdowns.push(shutdown);
      return { settings: { ...settings, ...changed }, kind: null, clock, log: silentLog, shutdown };
    },
    async stop() {
      for (const shutdown of shutdowns) shutdown.begin('the test ends');
      await Promise.all(shutdowns.map(({ done }) => done));
    },
  };
}
