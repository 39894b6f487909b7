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
import { CliError } from '../command.ts';
import type { StoreKind } from '../../app/store-kind.ts';
import { serveControlSocket } from '../control/server.ts';
import { HeldByServiceError } from '../control/held-by-service-error.ts';
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
  const said: string[] = [];
  const clock = fakeClock(0);
  // Looking at files takes real time between the waits, so each wait moves the clock itself.
  const sleep = async (ms: number) =>
    void (await Promise.all([clock.sleep(ms), clock.advance(ms)]));
  const options: CommandStoreOptions = {
    settings,
    choice: {},
    isSandboxAsked: false,
    env: {},
    clock: { ...clock, sleep },
    stderr: (text) => void said.push(text),
    open: async (where) => {
      opened.push(where);
      return closed;
    },
  };
  return { dataDir, settings, clock, opened, said, options };
}

function held(): Promise<Db> {
  return Promise.reject(Object.assign(new Error('in use by 42'), { name: 'StoreHeldError' }));
}

test('with a database address the folders do not matter', async () => {
  const { options, opened } = setUp(['live'], { databaseUrl: 'postgres://a@b/c' });
  await openCommandStore(options);
  expect(opened).toEqual([{ databaseUrl: 'postgres://a@b/c' }]);
});

test('the store that exists is opened; of two the live one, and that is said', async () => {
  const one = setUp(['sandbox']);
  await openCommandStore(one.options);
  expect(one.opened).toEqual([{ folder: join(one.dataDir, 'sandbox'), kind: 'sandbox' }]);
  expect(one.said).toEqual([]);
  const two = setUp(['sandbox', 'live']);
  await openCommandStore(two.options);
  expect(two.opened).toEqual([{ folder: join(two.dataDir, 'live'), kind: 'live' }]);
  expect(two.said).toHaveLength(1);
});

test('a command that insists on a store gets that one, or a refusal', async () => {
  const { options, opened, dataDir } = setUp(['sandbox']);
  await openCommandStore({ ...options, choice: { kind: 'live', mayCreate: true } });
  expect(opened).toEqual([{ folder: join(dataDir, 'live'), kind: 'live' }]);
  const both = { ...options, choice: { kind: 'live' as const }, isSandboxAsked: true };
  await expect(openCommandStore(both)).rejects.toThrow(CliError);
});

test('where there is no store none is made, and the mend is said', async () => {
  const { options, opened, dataDir } = setUp([]);
  const error = await openCommandStore(options).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(NoStoreError);
  expect(String(error)).toContain(`no store in ${join(dataDir, 'sandbox')}: name another`);
  expect([opened, readdirSync(dataDir)]).toEqual([[], []]);
  mkdirSync(join(dataDir, 'sandbox'));
  await expect(openCommandStore(options)).rejects.toBeInstanceOf(NoStoreError);
  await openCommandStore({ ...options, choice: { mayCreate: true } });
  expect(opened).toEqual([{ folder: join(dataDir, 'sandbox'), kind: 'sandbox' }]);
});

test('who names the wrong one of two stores, or a folder too deep, is told of the right one', async () => {
  const deep = setUp(['sandbox']);
  const within = { ...deep.settings, dataDir: join(deep.dataDir, 'sandbox') };
  await expect(openCommandStore({ ...deep.options, settings: within })).rejects.toThrow(
    `one folder up, --data-dir ${deep.dataDir}`,
  );
  const sources = ['files'];
  await expect(
    openCommandStore({ ...deep.options, settings: { ...deep.settings, sources } }),
  ).rejects.toThrow('there is a sandbox one beside it, for that say --sandbox');
  const live = setUp(['live']);
  await expect(openCommandStore({ ...live.options, isSandboxAsked: true })).rejects.toThrow(
    'there is a live one beside it, for that leave out --sandbox',
  );
});

test('a store held by a running service is not opened: the command has to go there', async () => {
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
    commands: [],
  });
  onTestFinished(() => server.close());
  const error = await openCommandStore(options).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(HeldByServiceError);
  expect(error).toMatchObject({ storeFolder: folder });
  expect(opened).toEqual([]);
});

test('a store held by another command is waited for', async () => {
  const { options } = setUp(['sandbox']);
  let tries = 0;
  const open = () => (++tries < 3 ? held() : Promise.resolve(closed));
  const opening = openCommandStore({ ...options, open });
  await expect(opening).resolves.toMatchObject({ db: closed });
  expect(tries).toBe(3);
});

test('after ten seconds the command gives up and says who has the store', async () => {
  const { clock, options } = setUp(['sandbox']);
  const opening = openCommandStore({ ...options, open: held });
  await expect(opening).rejects.toThrow('in use by 42');
  await expect(opening).rejects.toBeInstanceOf(CliError);
  expect(clock.monotonicMs()).toBeGreaterThanOrEqual(10_000);
});
