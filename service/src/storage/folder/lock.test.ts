import { spawnSync } from 'node:child_process';
import { type FileHandle, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { StoreUnavailableError } from '../errors.ts';
import { acquireLock, StoreHeldError } from './lock.ts';
import { bootId } from './process-identity.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afterbell-lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('reports the holder of a locked store folder, and acquires the lock after its release', async () => {
  const lock = await acquireLock(folder);
  const refused = await acquireLock(folder).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StoreHeldError);
  expect(refused).toMatchObject({ folder, holder: { pid: process.pid } });
  expect(String(refused)).toContain(`process ${process.pid}`);
  await lock.release();
  await (await acquireLock(folder)).release();
});

test('lets exactly one of many processes take over the lock of a dead process', async () => {
  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  for (let round = 0; round < 20; round += 1) {
    await (await acquireLock(folder)).release();
    await rewrite({ pid: dead, started: `${bootId()} 1`, released: false });
    const takers = await Promise.allSettled(Array.from({ length: 20 }, () => acquireLock(folder)));
    expect(takers.filter((taker) => taker.status === 'fulfilled')).toHaveLength(1);
    const winner = takers.find((taker) => taker.status === 'fulfilled');
    await winner?.value.release();
  }
  expect(await readdir(folder)).toHaveLength(1);
});

test('takes over the lock of a dead process even though a running process has reused its pid', async () => {
  await acquireLock(folder);
  await rewrite({ started: `${bootId()} 1` });
  await expect(acquireLock(folder)).resolves.toBeDefined();
});

test('treats a lock holder of an older release on another machine as running', async () => {
  await (await acquireLock(folder)).release();
  await rewrite({ host: 'elsewhere', started: 'unknown', beatMs: undefined, released: false });
  await expect(acquireLock(folder)).rejects.toThrow(/elsewhere.*delete .*lock-1\.json/);
});

const CONTAINERS = [
  ['of the same host name', { pidNamespace: 'pid:[1]' }],
  ['of another host name', { host: 'elsewhere' }],
] as const;

test.each(CONTAINERS)(
  'takes over from a killed holder in a container %s after missed heartbeats',
  async (_, container) => {
    await (await acquireLock(folder)).release();
    await rewrite({ ...container, beatMs: 5, released: false });
    await expect(acquireLock(folder)).resolves.toBeDefined();
  },
);

test.each(CONTAINERS)(
  'does not take over from a running holder in a container %s',
  async (_, container) => {
    const lock = await acquireLock(folder, { beatMs: 20 });
    await rewrite({ ...container });
    await expect(acquireLock(folder)).rejects.toThrow(StoreHeldError);
    await lock.release();
  },
);

test('does not take over from a holder that accepts connections, even without heartbeats', async () => {
  await (await acquireLock(folder)).release();
  await rewrite({ pidNamespace: 'pid:[1]', beatMs: 5, released: false });
  const control = createServer();
  await new Promise<void>((resolve) => control.listen(join(folder, 'control.sock'), resolve));
  await expect(acquireLock(folder)).rejects.toThrow(StoreHeldError);
  control.close();
});

test('tells the holder when another process has taken over', async () => {
  let onLost: () => void = () => undefined;
  const lost = new Promise<void>((resolve) => (onLost = resolve));
  const lock = await acquireLock(folder, { beatMs: 5, onLost });
  await writeFile(join(folder, 'lock-2.json'), await readFile(join(folder, 'lock-1.json')));
  await lost;
  await lock.release();
  expect(JSON.parse(await readFile(join(folder, 'lock-2.json'), 'utf8'))).toMatchObject({
    released: false,
  });
});

test.each(['', '{"pid":4', 'null', '{}'])(
  'rejects the unreadable lock file %j, reporting its path and a fix',
  async (text) => {
    await (await acquireLock(folder)).release();
    const file = join(folder, 'lock-1.json');
    await writeFile(file, text);
    const refused = await acquireLock(folder).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StoreUnavailableError);
    expect(String(refused)).toContain(`${file} is empty or damaged`);
    expect(String(refused)).toContain('delete that file');
    await rm(file);
    await (await acquireLock(folder)).release();
    expect(await readdir(folder)).toEqual(['lock-1.json']);
  },
);

test('syncs a lock file before linking it', async () => {
  const lockFiles: string[][] = [];
  await onSync(async () => void lockFiles.push(await readdir(folder)));
  const lock = await acquireLock(folder);
  expect(lockFiles).toEqual([[expect.stringMatching(/^lock-draft-/)]]);
  await lock.release();
  expect(lockFiles).toHaveLength(2);
});

test('leaves no files behind when the disk is full at startup', async () => {
  await onSync(() => Promise.reject(new Error('ENOSPC')));
  await expect(acquireLock(folder)).rejects.toThrow('ENOSPC');
  expect(await readdir(folder)).toEqual([]);
});

/** Replaces fsync with `replacement` for one test. */
async function onSync(replacement: () => Promise<void>): Promise<void> {
  const handle = await open(folder);
  const handles = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const sync = vi.spyOn(handles, 'sync').mockImplementation(replacement);
  onTestFinished(() => sync.mockRestore());
}

/** Changes the content of the newest lock file. */
async function rewrite(change: object): Promise<void> {
  const file = join(folder, (await readdir(folder)).toSorted(byNumber).at(-1) ?? '');
  const holder: unknown = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify(Object.assign({}, holder, change)));
}

function byNumber(a: string, b: string): number {
  return Number(/\d+/.exec(a)) - Number(/\d+/.exec(b));
}
