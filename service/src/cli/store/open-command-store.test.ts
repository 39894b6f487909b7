import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { silentLog } from '../../../test/support/logs.ts';
import { readSettings } from '../../config/settings.ts';
import type { Db } from '../../storage/db.ts';
import { NoStoreError } from '../../storage/errors.ts';
import { engineFolder, versionFile } from '../../storage/folder/store-files.ts';
import { CliError, StoreInUseError } from '../command.ts';
import type { StoreKind } from '../../app/store-kind.ts';
import { serveControlSocket } from '../control/server.ts';
import { type CommandStoreOptions, openCommandStore } from './open-command-store.ts';

const closed: Db = {
  engine: 'pglite',
  query: () => Promise.reject(new Error('closed')),
  transaction: () => Promise.reject(new Error('closed')),
  readSnapshot: () => Promise.reject(new Error('closed')),
  execute: () => Promise.reject(new Error('closed')),
  close: () => Promise.resolve(),
};

function setUp(kinds: StoreKind[], flags: Record<string, string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'ab-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  for (const kind of kinds) {
    mkdirSync(engineFolder(join(dataDir, kind)), { recursive: true });
    writeFileSync(versionFile(join(dataDir, kind)), '17\n');
  }
  const settings = readSettings({ flags: { dataDir, ...flags }, env: {}, cwd: '/', sources: [] });
  const opened: object[] = [];
  const notes: string[] = [];
  const clock = fakeClock(0);
  // The store's file checks take real time, so each wait advances the fake clock itself.
  const sleep = async (ms: number) =>
    void (await Promise.all([clock.sleep(ms), clock.advance(ms)]));
  const options: CommandStoreOptions = {
    settings,
    choice: {},
    isSandboxRequested: false,
    env: {},
    clock: { ...clock, sleep },
    stderr: (text) => void notes.push(text),
    open: async (location) => {
      opened.push(location);
      return closed;
    },
  };
  return { dataDir, settings, clock, opened, notes, options };
}

function locked(): Promise<Db> {
  return Promise.reject(Object.assign(new Error('in use by 42'), { name: 'StoreHeldError' }));
}

test('opens the database in DATABASE_URL and ignores data folders', async () => {
  const { options, opened } = setUp(['live'], { databaseUrl: 'postgres://a@b/c' });
  await openCommandStore(options);
  expect(opened).toEqual([{ databaseUrl: 'postgres://a@b/c' }]);
});

test('opens the existing store, or the live store with a note if both exist', async () => {
  const single = setUp(['sandbox']);
  await openCommandStore(single.options);
  expect(single.opened).toEqual([{ folder: join(single.dataDir, 'sandbox'), kind: 'sandbox' }]);
  expect(single.notes).toEqual([]);
  const double = setUp(['sandbox', 'live']);
  await openCommandStore(double.options);
  expect(double.opened).toEqual([{ folder: join(double.dataDir, 'live'), kind: 'live' }]);
  expect(double.notes).toHaveLength(1);
});

test('opens the kind of store that a command requires, or rejects the command', async () => {
  const { options, opened, dataDir } = setUp(['sandbox']);
  await openCommandStore({ ...options, choice: { kind: 'live', mayCreate: true } });
  expect(opened).toEqual([{ folder: join(dataDir, 'live'), kind: 'live' }]);
  const conflicting = { ...options, choice: { kind: 'live' as const }, isSandboxRequested: true };
  await expect(openCommandStore(conflicting)).rejects.toThrow(CliError);
});

test('reports a missing store with a fix, and creates it only if allowed', async () => {
  const { options, opened, dataDir } = setUp([]);
  const error = await openCommandStore(options).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(NoStoreError);
  expect(String(error)).toContain(`no store in ${join(dataDir, 'sandbox')}: use another`);
  expect([opened, readdirSync(dataDir)]).toEqual([[], []]);
  mkdirSync(join(dataDir, 'sandbox'));
  await expect(openCommandStore(options)).rejects.toBeInstanceOf(NoStoreError);
  await openCommandStore({ ...options, choice: { mayCreate: true } });
  expect(opened).toEqual([{ folder: join(dataDir, 'sandbox'), kind: 'sandbox' }]);
});

test('suggests the correct store if the kind or the data folder is wrong', async () => {
  const deep = setUp(['sandbox']);
  const within = { ...deep.settings, dataDir: join(deep.dataDir, 'sandbox') };
  await expect(openCommandStore({ ...deep.options, settings: within })).rejects.toThrow(
    `in the parent folder; use --data-dir ${deep.dataDir}`,
  );
  const sources = ['files'];
  await expect(
    openCommandStore({ ...deep.options, settings: { ...deep.settings, sources } }),
  ).rejects.toThrow('to use the sandbox store instead, add --sandbox');
  const live = setUp(['live']);
  await expect(openCommandStore({ ...live.options, isSandboxRequested: true })).rejects.toThrow(
    'to use the live store instead, remove --sandbox',
  );
});

test('throws StoreInUseError for a store that a running service has open', async () => {
  const { dataDir, settings, clock, options, opened } = setUp(['sandbox', 'live']);
  const folder = join(dataDir, 'sandbox');
  const server = await serveControlSocket({
    folder,
    kind: 'sandbox',
    db: closed,
    clock,
    log: silentLog,
    settings,
    env: {},
    loadCommands: async () => [],
  });
  onTestFinished(() => server.close());
  const error = await openCommandStore(options).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(StoreInUseError);
  expect(error).toMatchObject({ storeFolder: folder });
  expect(opened).toEqual([]);
});

test('waits for a store that another command has open', async () => {
  const { options } = setUp(['sandbox']);
  let tries = 0;
  const open = () => (++tries < 3 ? locked() : Promise.resolve(closed));
  const opening = openCommandStore({ ...options, open });
  await expect(opening).resolves.toMatchObject({ db: closed });
  expect(tries).toBe(3);
});

test('gives up after ten seconds and reports which process has the store open', async () => {
  const { clock, options } = setUp(['sandbox']);
  const opening = openCommandStore({ ...options, open: locked });
  await expect(opening).rejects.toThrow('in use by 42');
  await expect(opening).rejects.toBeInstanceOf(CliError);
  expect(clock.monotonicMs()).toBeGreaterThanOrEqual(10_000);
});
