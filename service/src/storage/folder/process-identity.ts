import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Returns a name for this process. The start time distinguishes it from a later process with the
 * same pid.
 */
export function processName(): string {
  return `${hostname()} ${process.pid} ${processStartOf(process.pid) ?? ''}`.trim();
}

/**
 * Returns an identifier for a process that remains unique when its pid is reused: the boot ID and
 * the start time in clock ticks since boot, from /proc. Returns null if /proc or the process
 * doesn't exist.
 */
export function processStartOf(pid: number): string | null {
  const stat = readStat(pid);
  const boot = bootId();
  return stat === null || boot === null ? null : `${boot} ${stat.startTicks}`;
}

/** Returns the id of this boot of the machine, or null if /proc doesn't exist. */
export function bootId(): string | null {
  return readText('/proc/sys/kernel/random/boot_id')?.trim() ?? null;
}

/** Returns an id of the namespace in which pids are valid, or null on systems without them. */
export function pidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

/**
 * Returns true if the process with this pid and start time is still running. Zombies are treated as
 * dead.
 */
export function isAlive(pid: number, started: string | null): boolean {
  if (started !== null) return processStartOf(pid) === started && readStat(pid)?.ended === false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that the process exists.
    return error instanceof Error && Reflect.get(error, 'code') === 'EPERM';
  }
}

function readStat(pid: number): { startTicks: string; ended: boolean } | null {
  const text = readText(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The second field is the command in parentheses, which may itself contain spaces and
  // parentheses. Fields are therefore counted from the last closing parenthesis: state is the 3rd
  // field in proc(5), start time the 22nd.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const startTicks = fields[19];
  if (startTicks === undefined) return null;
  return { startTicks, ended: fields[0] === 'Z' || fields[0] === 'X' };
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
