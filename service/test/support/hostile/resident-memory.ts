import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Returns a process's resident memory in bytes. */
export function residentBytes(pid: number | undefined): number {
  if (process.platform !== 'linux') {
    return (
      Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024
    );
  }
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}
