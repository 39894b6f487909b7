import { isatty } from 'node:tty';
import { type Clock, systemClock } from '../platform/clock.ts';
import { readLines } from '../platform/read-lines.ts';
import { readSettings, type Settings, SettingsError } from '../config/settings.ts';
import type { Db } from '../storage/db.ts';
import type { StoreKind } from '../app/store-kind.ts';
import { type CliContext, CliError } from './command.ts';
import { knownSources } from './sources/known-sources.ts';
import { openCommandStore } from './store/open-command-store.ts';
import type { GlobalFlags } from './program.ts';

/** The context of a command that runs in this process. */
export function processContext(cwd: string, globalFlags: () => GlobalFlags): CliContext {
  const { env } = process;

  function settings(flags: Readonly<Record<string, unknown>> = {}): Settings {
    try {
      return readSettings({
        flags: { ...globalFlags(), ...flags },
        env,
        cwd,
        sources: knownSources,
      });
    } catch (error) {
      throw error instanceof SettingsError ? new CliError(error.message) : error;
    }
  }

  const clock = lazyClock(() => {
    const { now } = settings();
    return systemClock(now === null ? {} : { startAt: now });
  });
  const stderr = (text: string) => void process.stderr.write(text);
  return {
    stdout: (text) => void process.stdout.write(text),
    stderr,
    stdinLines: () => readLines(process.stdin),
    env,
    cwd,
    clock,
    isTerminal: isatty(2),
    settings,
    openStore: (choice = {}) =>
      openCommandStore({
        settings: settings(),
        choice,
        isSandboxAsked: globalFlags()['sandbox'] === true,
        env,
        // Waiting for a lock has nothing to do with the time the service believes it is.
        clock: systemClock(),
        stderr,
        open: (where) =>
          openMigrated(
            { ...where, mustExist: choice.mayCreate !== true, migrates: choice.migrates },
            settings(),
            stderr,
          ),
      }),
  };
}

/**
 * Loaded only when wanted: most commands are done before a store could be loaded. A new store is
 * marked with its kind at once, whichever command comes first.
 */
async function openMigrated(
  options: ({ databaseUrl: string } | { folder: string; kind: StoreKind }) & {
    mustExist: boolean;
    migrates: boolean | undefined;
  },
  { backupBeforeUpgrade }: Settings,
  stderr: (text: string) => void,
): Promise<Db> {
  const { openStore } = await import('../storage/open-store.ts');
  const { claimMarker } = await import('../storage/marker.ts');
  const db = await openStore({
    ...options,
    keepsBefore: backupBeforeUpgrade,
    onKept: (file) => stderr(`Kept a backup from before the upgrade: ${file}\n`),
  });
  if ('kind' in options) await claimMarker(db, 'kind', options.kind);
  return db;
}

/** `NOW` may come from a flag, which is known only when the command runs. */
function lazyClock(create: () => Clock): Clock {
  let clock: Clock | undefined;
  const get = () => (clock ??= create());
  return {
    now: () => get().now(),
    monotonicMs: () => get().monotonicMs(),
    setTimer: (delayMs, run) => get().setTimer(delayMs, run),
    sleep: (delayMs, signal) => get().sleep(delayMs, signal),
  };
}
