import { link, open, readdir, readFile, rename, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../platform/clock.ts';
import { StoreUnavailableError } from '../errors.ts';
import { isAlive, startOf } from './process-identity.ts';

/** Who holds a folder; written as JSON into its lock file. */
export interface LockHolder {
  pid: number;
  /** What tells this process from a later one with the same pid; null where that is unknown. */
  started: string | null;
  host: string;
  command: string;
  /** ISO instant. */
  openedAt: string;
  /** True once the holder gave the folder back. */
  released: boolean;
}

/** Another living process holds the folder. */
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
 * Takes the exclusive lock of a folder, or throws StoreHeldError, and StoreUnavailableError where a
 * lock file does not say who holds it. A lock whose process is dead is taken over, so a killed
 * process leaves nothing to clean up.
 *
 * Each holder has a file of its own, `lock-N.json`, and the highest N is the one that counts. A
 * taker links N + 1 into place, which only one can; then it looks again whether a still higher one
 * stands, which means that what it had judged was out of date. A file is deleted only when a
 * higher one exists, so there is always a highest and no order of steps lets two hold the folder.
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

/** One round: the number taken, or undefined when another was faster and all is to be seen anew. */
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

/** Marks the lock as given back; the file stays, so that the numbers never fall. */
async function release(folder: string, number: number, own: LockHolder): Promise<void> {
  const draft = await writeDraft(folder, { ...own, released: true });
  await rename(draft, lockFile(folder, number));
}

function isHeld(holder: LockHolder): boolean {
  if (holder.released) return false;
  // A process of another machine cannot be looked at, so it is taken for alive.
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

/** A name no other process and no other call uses. */
function nextDraft(folder: string): string {
  drafts += 1;
  return join(folder, `lock-draft-${hostname()}-${process.pid}-${drafts}`);
}

/** On the disk before it gets its name: else a machine that loses power leaves an empty lock. */
async function writeDraft(folder: string, holder: LockHolder): Promise<string> {
  const draft = nextDraft(folder);
  const handle = await open(draft, 'w', 0o600);
  try {
    await handle.writeFile(JSON.stringify(holder));
    await handle.sync();
  } catch (error) {
    // On a full disk each start that is tried again would leave one.
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
