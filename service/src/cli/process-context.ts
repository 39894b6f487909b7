import { isatty } from 'node:tty';
import { type Clock, systemClock } from '../platform/clock.ts';
import { readLines } from '../platform/read-lines.ts';
import { readSettings, type Settings, SettingsError } from '../config/settings.ts';
import { providers } from '../providers/registry.gen.ts';
import type { Db } from '../storage/db.ts';
import type { StoreKind } from '../app/store-kind.ts';
import { type CliContext, CliError, type LoadCommands } from './command.ts';
import { openCommandStore } from './store/open-command-store.ts';
import type { GlobalFlags } from './program.ts';

/** Creates the context for a command that runs in this process. */
export function processContext({
  cwd,
  globalFlags,
  loadCommands,
}: {
  cwd: string;
  globalFlags: () => GlobalFlags;
  loadCommands: LoadCommands;
}): CliContext {
  const { env } = process;

  function settings(flags: Readonly<Record<string, unknown>> = {}): Settings {
    try {
      return readSettings({
        flags: { ...globalFlags(), ...flags },
        env,
        cwd,
        sources: providers,
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
    loadCommands,
    openStore: (choice = {}) =>
      openCommandStore({
        settings: settings(),
        choice,
        isSandboxRequested: globalFlags()['sandbox'] === true,
        env,
        // Waiting for the lock takes real time, even if NOW shifts the service's clock.
        clock: systemClock(),
        stderr,
        open: (location) =>
          openMigrated(
            { ...location, mustExist: choice.mayCreate !== true, migrates: choice.migrates },
            settings(),
            stderr,
          ),
      }),
  };
}

/**
 * Opens and migrates a store. Imports the storage engines only when needed, because most commands
 * finish in less time than the import takes. A command that creates a store also records its kind.
 */
async function openMigrated(
  options: ({ databaseUrl: string } | { folder: string; kind: StoreKind }) & {
    mustExist: boolean;
    migrates: boolean | undefined;
  },
  { backupBeforeUpgrade, databasePooler: pooler, embeddedSync }: Settings,
  stderr: (text: string) => void,
): Promise<Db> {
  const { openStore } = await import('../storage/open-store.ts');
  const { claimMarker } = await import('../storage/marker.ts');
  const db = await openStore({
    ...options,
    pooler,
    syncs: embeddedSync === 'commit',
    backsUpBeforeMigrating: backupBeforeUpgrade,
    onBackup: (file) => stderr(`Backed up the store before upgrading it: ${file}\n`),
  });
  if ('kind' in options) await claimMarker(db, 'kind', options.kind);
  return db;
}

/**
 * Creates the clock on first use, because `NOW` may come from a flag, which is parsed only when the
 * command runs.
 */
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
