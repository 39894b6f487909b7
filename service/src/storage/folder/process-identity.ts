import { readFileSync } from 'node:fs';

/**
 * Identifies a process beyond its pid, which may be reused: the boot ID and the start time in clock
 * ticks since boot, from /proc. Null without /proc or such a process.
 */
export function processStartOf(pid: number): string | null {
  const stat = readStat(pid);
  const boot = readText('/proc/sys/kernel/random/boot_id');
  return stat === null || boot === null ? null : `${boot.trim()} ${stat.startTicks}`;
}

/** True if the process with this pid and start time is still running. Zombies don't count. */
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
  // parentheses. Fields are counted after the last one: state is the 3rd field of proc(5), start
  // time the 22nd.
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
