import { dirname } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import type { Settings } from '../../config/settings.ts';
import type { Db } from '../../storage/db.ts';
import { NoStoreError } from '../../storage/errors.ts';
import { hasStore } from '../../storage/folder/store-files.ts';
import { startKind, storeFolder, type StoreKind } from '../../app/store-kind.ts';
import { CliError, type StoreChoice } from '../command.ts';
import { isControlServed } from '../control/socket.ts';
import { HeldByServiceError } from '../control/held-by-service-error.ts';
import { chooseStore } from './store-location.ts';

export interface CommandStoreOptions {
  settings: Settings;
  choice: StoreChoice;
  isSandboxAsked: boolean;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  stderr(text: string): void;
  /** Opens and migrates; throws an error named `StoreHeldError` when another process has it. */
  open(options: { databaseUrl: string } | { folder: string; kind: StoreKind }): Promise<Db>;
}

/** Another command may hold the store for a moment, and a starting service listens only soon. */
const WAIT_MS_MAX = 10_000;
const RETRY_MS = 200;

/**
 * Opens the store a command means. Throws `HeldByServiceError` when a running service holds it,
 * `NoStoreError` when there is none and the choice does not let it be made, and `CliError` when
 * something else does not let go of it in ten seconds.
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
    if (await isControlServed(folder, env)) throw new HeldByServiceError(folder);
    if (options.choice.mayCreate !== true && !(await hasStore(folder))) {
      throw new NoStoreError(`there is no store in ${folder}: ${await mendOf(options, kind)}`);
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

async function mendOf(
  { settings: { dataDir } }: CommandStoreOptions,
  kind: StoreKind,
): Promise<string> {
  if (await hasStore(dataDir)) return `it is one folder up, --data-dir ${dirname(dataDir)}`;
  const other = kind === 'live' ? 'sandbox' : 'live';
  if (await hasStore(storeFolder(dataDir, other))) {
    const how = other === 'sandbox' ? 'say --sandbox' : 'leave out --sandbox';
    return `there is a ${other} one beside it, for that ${how}`;
  }
  return 'name another data folder with --data-dir, or make one with afterbell start';
}

async function chooseKind(options: CommandStoreOptions): Promise<StoreKind> {
  const { settings, choice, isSandboxAsked, env } = options;
  const folderOf = (kind: StoreKind) => storeFolder(settings.dataDir, kind);
  if (choice.kind === 'live' && isSandboxAsked) {
    throw new CliError('this command works on the live store alone; leave out --sandbox');
  }
  if (choice.kind !== undefined) return choice.kind;
  const { kind, note } = chooseStore({
    isSandboxAsked,
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
