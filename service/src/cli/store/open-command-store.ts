import { dirname } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import type { Settings } from '../../config/settings.ts';
import type { Db } from '../../storage/db.ts';
import { NoStoreError } from '../../storage/errors.ts';
import { hasStore } from '../../storage/folder/store-files.ts';
import { startKind, storeFolder, type StoreKind } from '../../app/store-kind.ts';
import { CliError, StoreInUseError, type StoreChoice } from '../command.ts';
import { isControlServed } from '../control/socket.ts';

export interface CommandStoreOptions {
  settings: Settings;
  choice: StoreChoice;
  isSandboxRequested: boolean;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  stderr(text: string): void;
  /**
   * Opens and migrates a store. Throws an error named `StoreHeldError` if another process has it
   * open.
   */
  open(options: { databaseUrl: string } | { folder: string; kind: StoreKind }): Promise<Db>;
}

/**
 * Maximum wait for another command to finish, or for a starting service to listen on its socket.
 */
const WAIT_MS_MAX = 10_000;
const RETRY_MS = 200;

/**
 * Opens the store for a command. Throws `StoreInUseError` if a running service has the store open,
 * `NoStoreError` if it does not exist and may not be created, and `CliError` if another process
 * keeps it open for ten seconds.
 */
export async function openCommandStore(
  options: CommandStoreOptions,
): Promise<{ db: Db; close(): Promise<void> }> {
  const { databaseUrl } = options.settings;
  const db = databaseUrl === null ? await openFolder(options) : await options.open({ databaseUrl });
  return { db, close: () => db.close() };
}

async function openFolder(options: CommandStoreOptions): Promise<Db> {
  const { clock, env } = options;
  const kind = await chooseKind(options);
  const folder = storeFolder(options.settings.dataDir, kind);
  const untilMs = clock.monotonicMs() + WAIT_MS_MAX;
  for (;;) {
    if (await isControlServed(folder, env)) throw new StoreInUseError(folder);
    if (options.choice.mayCreate !== true && !(await hasStore(folder))) {
      throw new NoStoreError(`there is no store in ${folder}: ${await fixFor(options, kind)}`);
    }
    try {
      return await options.open({ folder, kind });
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'StoreHeldError') throw error;
      if (clock.monotonicMs() >= untilMs) throw new CliError(error.message);
    }
    await clock.sleep(RETRY_MS);
  }
}

async function fixFor(
  { settings: { dataDir } }: CommandStoreOptions,
  kind: StoreKind,
): Promise<string> {
  if (await hasStore(dataDir))
    return `it is in the parent folder; use --data-dir ${dirname(dataDir)}`;
  const other = kind === 'live' ? 'sandbox' : 'live';
  if (await hasStore(storeFolder(dataDir, other))) {
    const fix = other === 'sandbox' ? 'add --sandbox' : 'remove --sandbox';
    return `to use the ${other} store instead, ${fix}`;
  }
  return 'use another folder with --data-dir, or create a store with afterbell start';
}

async function chooseKind(options: CommandStoreOptions): Promise<StoreKind> {
  const { settings, choice, isSandboxRequested, env } = options;
  const folderOf = (kind: StoreKind) => storeFolder(settings.dataDir, kind);
  if (choice.kind === 'live' && isSandboxRequested) {
    throw new CliError('this command works only on the live store; remove --sandbox');
  }
  if (choice.kind !== undefined) return choice.kind;
  const { kind, note } = chooseStore({
    isSandboxRequested,
    isLiveConfigured: startKind(settings) === 'live',
    exists: {
      live: await hasStore(folderOf('live')),
      sandbox: await hasStore(folderOf('sandbox')),
    },
    isServed: {
      live: await isControlServed(folderOf('live'), env),
      sandbox: await isControlServed(folderOf('sandbox'), env),
    },
  });
  if (note !== null) options.stderr(`${note}\n`);
  return kind;
}

export interface StoreState {
  /** True if the command line contains `--sandbox`. */
  isSandboxRequested: boolean;
  /** True if real sources are configured, so that `afterbell start` would open the live store. */
  isLiveConfigured: boolean;
  /** Stores that exist in the data folder. */
  exists: Readonly<Record<StoreKind, boolean>>;
  /** Stores that a running service has open. */
  isServed: Readonly<Record<StoreKind, boolean>>;
}

/**
 * Chooses the embedded store for a command. In order of precedence: the sandbox with `--sandbox`,
 * the live store if real sources are configured, the store that a running service has open, and the
 * store that exists. If both exist, chooses the live store and returns a `note` for stderr. If
 * neither exists, chooses the sandbox, which `afterbell start` would create.
 */
export function chooseStore(state: StoreState): { kind: StoreKind; note: string | null } {
  const { exists, isServed } = state;
  if (state.isSandboxRequested) return { kind: 'sandbox', note: null };
  if (state.isLiveConfigured) return { kind: 'live', note: null };
  if (isServed.live !== isServed.sandbox) {
    return { kind: isServed.live ? 'live' : 'sandbox', note: null };
  }
  if (exists.live && exists.sandbox) return { kind: 'live', note: BOTH_EXIST };
  return { kind: exists.live ? 'live' : 'sandbox', note: null };
}

const BOTH_EXIST = 'Using the live store. A sandbox store exists too: use --sandbox to select it.';
