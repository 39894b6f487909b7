import { link, open, readdir, readFile, rename, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../platform/clock.ts';
import { StoreUnavailableError } from '../errors.ts';
import { isAlive, startOf } from './process-identity.ts';

/** The holder of a folder, as written to its lock file in JSON. */
export interface LockHolder {
  pid: number;
  /** Distinguishes this process from a later one with the same pid; null if unknown. */
  started: string | null;
  host: string;
  command: string;
  /** ISO instant. */
  openedAt: string;
  /** True once the holder has released the folder. */
  released: boolean;
}

/** Another running process holds the folder. */
export class StoreHeldError extends Error {
  readonly holder: LockHolder;
  readonly folder: string;

  constructor(folder: string, file: string, holder: LockHolder) {
    super(
      `The store in ${folder} is in use by process ${holder.pid} on ${holder.host} since ` +
        `${holder.openedAt} (${holder.command}). Two processes on one folder would corrupt it: ` +
        'stop that process, or start this one with another data folder.' +
        (holder.host === hostname()
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

/**
 * Acquires the exclusive lock of a folder. Throws StoreHeldError if another process holds it, and
 * StoreUnavailableError if a lock file is unreadable. Takes over the lock of a dead process, so a
 * killed process needs no cleanup.
 *
 * Each holder has its own file, `lock-N.json`, and the highest N counts. A process links N + 1 into
 * place, which only one can do. Then it checks for a higher number, which would mean that its view
 * was outdated. A file is deleted only if a higher one exists, so there is always a highest one,
 * and no interleaving lets two processes hold the folder.
 */
export async function acquireLock(folder: string): Promise<FolderLock> {
  const own: LockHolder = {
    pid: process.pid,
    started: startOf(process.pid),
    host: hostname(),
    command: process.argv.join(' '),
    openedAt: new Date(systemClock().now()).toISOString(),
    released: false,
  };
  const draft = await writeDraft(folder, own);
  try {
    for (;;) {
      const number = await tryAcquire(folder, draft);
      if (number !== undefined) return { release: () => release(folder, number, own) };
    }
  } finally {
    await unlink(draft);
  }
}

/** One attempt. Returns the acquired number, or undefined if another process was faster. */
async function tryAcquire(folder: string, draft: string): Promise<number | undefined> {
  const newest = (await numbers(folder)).at(-1) ?? 0;
  if (newest > 0) {
    const holder = await readHolder(lockFile(folder, newest));
    if (holder === undefined) return undefined;
    if (isHeld(holder)) throw new StoreHeldError(folder, lockFile(folder, newest), holder);
  }
  const mine = newest + 1;
  if (!(await tryLink(draft, lockFile(folder, mine)))) return undefined;
  const standing = await numbers(folder);
  if (standing.at(-1) !== mine) {
    await unlink(lockFile(folder, mine));
    return undefined;
  }
  for (const number of standing) {
    if (number < mine) await unlinkIfThere(lockFile(folder, number));
  }
  return mine;
}

/** Marks the lock as released. The file stays, so that the numbers never decrease. */
async function release(folder: string, number: number, own: LockHolder): Promise<void> {
  const draft = await writeDraft(folder, { ...own, released: true });
  await rename(draft, lockFile(folder, number));
}

function isHeld(holder: LockHolder): boolean {
  if (holder.released) return false;
  // A process on another machine cannot be checked, so it counts as running.
  return holder.host !== hostname() || isAlive(holder.pid, holder.started);
}

async function numbers(folder: string): Promise<number[]> {
  const found: number[] = [];
  for (const file of await readdir(folder)) {
    const match = /^lock-(\d+)\.json$/.exec(file);
    if (match !== null) found.push(Number(match[1]));
  }
  return found.toSorted((a, b) => a - b);
}

let drafts = 0;

/** A name that no other process and no other call uses. */
function nextDraft(folder: string): string {
  drafts += 1;
  return join(folder, `lock-draft-${hostname()}-${process.pid}-${drafts}`);
}

/** Synced before it is linked. Otherwise a power loss could leave an empty lock file. */
async function writeDraft(folder: string, holder: LockHolder): Promise<string> {
  const draft = nextDraft(folder);
  const handle = await open(draft, 'w', 0o600);
  try {
    await handle.writeFile(JSON.stringify(holder));
    await handle.sync();
  } catch (error) {
    // Otherwise each retried start on a full disk would leave a file.
    await unlinkIfThere(draft);
    throw error;
  } finally {
    await handle.close();
  }
  return draft;
}

function lockFile(folder: string, number: number): string {
  return join(folder, `lock-${number}.json`);
}

async function readHolder(file: string): Promise<LockHolder | undefined> {
  const text = await orMissing(readFile(file, 'utf8'));
  if (text === undefined) return undefined;
  const holder = parseHolder(text);
  if (holder !== null) return holder;
  throw new StoreUnavailableError(
    `The lock file ${file} is empty or damaged, so nobody can tell whether a process has the ` +
      'store open. If none has, delete that file and start again.',
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

async function unlinkIfThere(file: string): Promise<void> {
  await orMissing(unlink(file));
}

async function orMissing<T>(call: Promise<T>): Promise<T | undefined> {
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
