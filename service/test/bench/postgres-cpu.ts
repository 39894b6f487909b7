import { readdirSync, readFileSync } from 'node:fs';
import type { Queryable } from '../../src/storage/db.ts';

const MICROS_PER_TICK = 10_000;

/** Returns a function for the CPU time of all processes of a local PostgreSQL server so far. */
export async function postgresCpu(db: Queryable): Promise<() => number> {
  const [row] = await db.query<{ pid: number }>('select pg_backend_pid() as pid');
  const { parentPid: serverPid } = statOf(row?.pid ?? 0);
  return () => {
    const stats = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => statOf(Number(name)));
    const server = stats.find(({ pid }) => pid === serverPid);
    const children = stats.filter(({ parentPid }) => parentPid === serverPid);
    const ticks = children.map(({ ownTicks }) => ownTicks);
    // The time of children that have ended counts for the server.
    const total = (server?.ownTicks ?? 0) + (server?.endedTicks ?? 0);
    return ticks.reduce((sum, each) => sum + each, total) * MICROS_PER_TICK;
  };
}

function statOf(pid: number): {
  pid: number;
  parentPid: number;
  ownTicks: number;
  endedTicks: number;
} {
  let text = '';
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    // The process has ended.
  }
  // The fields after the name in parentheses, which may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (index: number): number => Number(fields[index] ?? 0);
  return {
    pid,
    parentPid: field(1),
    ownTicks: field(11) + field(12),
    endedTicks: field(13) + field(14),
  };
}
