import type { AppOptions } from '../../app/context.ts';
import { systemClock } from '../../platform/clock.ts';
import { createLog, type Log } from '../../platform/log.ts';
import { createShutdown, type ProcessLike } from '../../platform/shutdown.ts';
import type { Settings } from '../../config/settings.ts';
import { type CliContext, CliError } from '../command.ts';

/**
 * Time allowed for closing, in addition to a server's drain time. A delivery that is being sent
 * takes at most 20 s.
 */
const CLOSING_MS_MAX = 30_000;

/** Creates the clock, log and shutdown for a process that runs until it receives a signal. */
export function openProcess(
  context: CliContext,
  settings: Settings,
  drainMs = 0,
  options: { signals?: ProcessLike; logFields?: Readonly<Record<string, unknown>> } = {},
): Pick<AppOptions, 'settings' | 'clock' | 'log' | 'shutdown'> {
  const clock = systemClock(settings.now === null ? {} : { startAt: settings.now });
  const { signals = process, logFields } = options;
  const ownLog = createLog({
    level: settings.logLevel,
    clock,
    write: context.stderr,
    isTerminal: context.isTerminal,
    secrets: settings.secrets,
  });
  const log: Log = logFields === undefined ? ownLog : ownLog.child(logFields);
  const limitMs = drainMs + CLOSING_MS_MAX;
  const shutdown = createShutdown({ clock, log, process: signals, limitMs });
  return { settings, clock, log, shutdown };
}

/** Throws `CliError` for the embedded store, which processes with separate roles cannot share. */
export function requirePostgres(role: string, { databaseUrl }: Settings): void {
  if (databaseUrl !== null) return;
  throw new CliError(
    `afterbell ${role} shares its store with other processes, which the embedded store does not ` +
      'support: set DATABASE_URL to a PostgreSQL 15 or newer database, or run everything in one ' +
      'process with afterbell start',
  );
}
