import { readFileSync } from 'node:fs';

/**
 * What tells a process from a later one that got the same pid: the machine's boot and the start
 * in clock ticks since then, from /proc. Null where there is no /proc or no such process.
 */
export function startOf(pid: number): string | null {
  const stat = readStat(pid);
  const boot = readText('/proc/sys/kernel/random/boot_id');
  return stat === null || boot === null ? null : `${boot.trim()} ${stat.startTicks}`;
}

/** Whether the process that once had this pid and start still runs (a zombie does not). */
export function isAlive(pid: number, started: string | null): boolean {
  if (started !== null) return startOf(pid) === started && readStat(pid)?.ended === false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Not permitted to signal it means that it is there.
    return error instanceof Error && Reflect.get(error, 'code') === 'EPERM';
  }
}

function readStat(pid: number): { startTicks: string; ended: boolean } | null {
  const text = readText(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The second field is the command in parentheses and may hold spaces and parentheses itself, so
  // the count starts behind the last one: state is the 3rd field of proc(5), the start the 22nd.
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
