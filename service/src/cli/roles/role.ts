import type { AppOptions } from '../../app/context.ts';
import { systemClock } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import { createShutdown } from '../../platform/shutdown.ts';
import type { Settings } from '../../config/settings.ts';
import { type CliContext, CliError } from '../command.ts';

/** Beyond the drain of a server: deliveries under way take 20 s at most. */
const CLOSING_MS_MAX = 30_000;

/** The clock, the log and the end of a process that runs until it is told to end. */
export function openProcess(
  context: CliContext,
  settings: Settings,
  drainMs = 0,
): Pick<AppOptions, 'settings' | 'clock' | 'log' | 'shutdown'> {
  const clock = systemClock(settings.now === null ? {} : { startAt: settings.now });
  const log = createLog({
    level: settings.logLevel,
    clock,
    write: context.stderr,
    isTerminal: context.isTerminal,
    secrets: settings.secrets,
  });
  const shutdown = createShutdown({ clock, log, process, limitMs: drainMs + CLOSING_MS_MAX });
  return { settings, clock, log, shutdown };
}

/** The roles apart share one store, and an embedded one belongs to a single process. */
export function refuseEmbedded(role: string, { databaseUrl }: Settings): void {
  if (databaseUrl !== null) return;
  throw new CliError(
    `afterbell ${role} shares its store with other processes, and the embedded store belongs to ` +
      'one: set DATABASE_URL to a PostgreSQL 15 or newer, or run everything in one process with ' +
      'afterbell start',
  );
}
