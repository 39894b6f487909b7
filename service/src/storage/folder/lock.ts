import { link, open, readdir, readFile, rename, unlink, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../platform/clock.ts';
import { StoreUnavailableError } from '../errors.ts';
import { BEAT_MS, isHeld, type LockHolder, thisProcess } from './lock-holder.ts';

/** Thrown when another running process holds the folder. */
export class StoreHeldError extends Error {
  readonly holder: LockHolder;
  readonly folder: string;

  constructor(folder: string, file: string, holder: LockHolder) {
    super(
      `The store in ${folder} is in use by process ${holder.pid} on ${holder.host} since ` +
        `${holder.openedAt} (${holder.command}). Two processes on one folder would corrupt it: ` +
        'stop that process, or start this one with another data folder.' +
        (holder.host === hostname() || holder.beatMs !== undefined
          ? ''
          : ` If that machine or container is gone for good, delete ${file} and start again.`),
    );
    this.name = 'StoreHeldError';
    this.holder = holder;
    this.folder = folder;
  }
}

export interface FolderLock {
  release(): Promise<void>;
}

interface LockOptions {
  beatMs?: number;
  /** Called once if another process has taken over the folder, which must then not be used. */
  onLost?: (() => void) | undefined;
}

/**
 * Acquires the exclusive lock on a folder. Throws StoreHeldError if another process holds it, and
 * StoreUnavailableError if a lock file is unreadable. Takes over the lock of a dead process, so a
 * killed process needs no cleanup. The holder touches its file regularly, by which processes in other
 * containers see that it runs.
 *
 * Each holder has its own file, `lock-N.json`, and the file with the highest N is the valid one. To
 * acquire the lock, a process links `lock-N.json` for the next N into place, which succeeds for
 * only one process. It then checks for a higher number, which would mean that its directory listing
 * was outdated. A file is deleted only if one with a higher number exists. Therefore no
 * interleaving lets two processes hold the folder.
 */
export async function acquireLock(
  folder: string,
  { beatMs = BEAT_MS, onLost }: LockOptions = {},
): Promise<FolderLock> {
  const holder = thisProcess(beatMs);
  const temporaryFile = await writeTemporaryFile(folder, holder);
  try {
    for (;;) {
      const number = await tryAcquire(folder, temporaryFile);
      if (number === undefined) continue;
      const beats = startBeats(folder, { number, beatMs, onLost });
      return {
        async release() {
          beats.stop();
          if (await isNewest(folder, number)) await release(folder, number, holder);
        },
      };
    }
  } finally {
    await unlink(temporaryFile);
  }
}

/** Makes one attempt. Returns the acquired number, or undefined if another process was faster. */
async function tryAcquire(folder: string, temporaryFile: string): Promise<number | undefined> {
  const newest = (await listNumbers(folder)).at(-1) ?? 0;
  if (newest > 0) {
    const holder = await readHolder(lockFile(folder, newest));
    if (holder === undefined) return undefined;
    if (await isHeld(folder, lockFile(folder, newest), holder)) {
      throw new StoreHeldError(folder, lockFile(folder, newest), holder);
    }
  }
  const acquired = newest + 1;
  if (!(await tryLink(temporaryFile, lockFile(folder, acquired)))) return undefined;
  const lockNumbers = await listNumbers(folder);
  if (lockNumbers.at(-1) !== acquired) {
    await unlink(lockFile(folder, acquired));
    return undefined;
  }
  for (const number of lockNumbers) {
    if (number < acquired) await unlinkIfPresent(lockFile(folder, number));
  }
  return acquired;
}

/** Marks the lock as released. Keeps the file so that the numbers never decrease. */
async function release(folder: string, number: number, holder: LockHolder): Promise<void> {
  const temporaryFile = await writeTemporaryFile(folder, { ...holder, released: true });
  await rename(temporaryFile, lockFile(folder, number));
}

/** Touches the lock file at intervals, for processes that cannot look up this one. */
function startBeats(
  folder: string,
  { number, beatMs, onLost }: LockOptions & { number: number; beatMs: number },
): { stop(): void } {
  const clock = systemClock();
  let isStopped = false;
  let timer = clock.setTimer(beatMs, () => void beat());
  async function beat(): Promise<void> {
    const isOurs = await isNewest(folder, number).catch(() => true);
    if (isStopped) return;
    if (!isOurs) return onLost?.();
    const seconds = clock.now() / 1_000;
    // The store notices by itself if its files were deleted.
    await utimes(lockFile(folder, number), seconds, seconds).catch(() => undefined);
    if (!isStopped) timer = clock.setTimer(beatMs, () => void beat());
  }
  return {
    stop() {
      isStopped = true;
      timer.cancel();
    },
  };
}

/** Returns false if another process has taken over the folder. */
async function isNewest(folder: string, number: number): Promise<boolean> {
  const newest = (await listNumbers(folder)).at(-1) ?? number;
  return newest <= number;
}

async function listNumbers(folder: string): Promise<number[]> {
  const numbers: number[] = [];
  for (const file of await readdir(folder)) {
    const match = /^lock-(\d+)\.json$/.exec(file);
    if (match !== null) numbers.push(Number(match[1]));
  }
  return numbers.toSorted((a, b) => a - b);
}

let temporaryFiles = 0;

/** Returns a name that no other process or call uses. */
function nextTemporaryFile(folder: string): string {
  temporaryFiles += 1;
  return join(folder, `lock-draft-${hostname()}-${process.pid}-${temporaryFiles}`);
}

/**
 * The file is synced before it is linked. Otherwise, a power loss could leave an empty lock file.
 */
async function writeTemporaryFile(folder: string, holder: LockHolder): Promise<string> {
  const temporaryFile = nextTemporaryFile(folder);
  const handle = await open(temporaryFile, 'w', 0o600);
  try {
    await handle.writeFile(JSON.stringify(holder));
    await handle.sync();
  } catch (error) {
    // Without this, each retried start on a full disk would leave a file behind.
    await unlinkIfPresent(temporaryFile);
    throw error;
  } finally {
    await handle.close();
  }
  return temporaryFile;
}

function lockFile(folder: string, number: number): string {
  return join(folder, `lock-${number}.json`);
}

async function readHolder(file: string): Promise<LockHolder | undefined> {
  const text = await undefinedIfMissing(readFile(file, 'utf8'));
  if (text === undefined) return undefined;
  const holder = parseHolder(text);
  if (holder !== null) return holder;
  throw new StoreUnavailableError(
    `The lock file ${file} is empty or damaged, so its holder is unknown. ` +
      'If no process has the store open, delete that file and start again.',
  );
}

function parseHolder(text: string): LockHolder | null {
  try {
    const holder = JSON.parse(text) as Partial<LockHolder> | null;
    const { pid, host } = holder ?? {};
    return typeof pid === 'number' && typeof host === 'string' ? (holder as LockHolder) : null;
  } catch {
    return null;
  }
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function unlinkIfPresent(file: string): Promise<void> {
  await undefinedIfMissing(unlink(file));
}

async function undefinedIfMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, 'code') : undefined;
}
