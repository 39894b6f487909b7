import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../platform/clock.ts';
import { bootId, isAlive, pidNamespace, processStartOf } from './process-identity.ts';

/** The holder of a folder, as written to its lock file as JSON. */
export interface LockHolder {
  pid: number;
  /**
   * Start of the process, which distinguishes it from a later process with the same pid. Null if
   * unknown.
   */
  started: string | null;
  host: string;
  /** Namespace in which the pid is valid. Absent if unknown. */
  pidNamespace?: string | null;
  /** Interval at which the holder touches its file. Absent for older releases, which do not. */
  beatMs?: number;
  command: string;
  /** ISO instant. */
  openedAt: string;
  /** True after the holder has released the folder. */
  released: boolean;
}

/** Interval of the heartbeats. */
export const BEAT_MS = 2_000;
/** Missed beats until a holder that cannot be looked up counts as dead. */
const MISSED_BEATS = 4;

export function thisProcess(beatMs: number): LockHolder {
  return {
    pid: process.pid,
    started: processStartOf(process.pid),
    host: hostname(),
    pidNamespace: pidNamespace(),
    beatMs,
    command: process.argv.join(' '),
    openedAt: new Date(systemClock().now()).toISOString(),
    released: false,
  };
}

/**
 * Returns true if the holder still runs. A holder in this pid namespace is looked up. For any other,
 * such as one in another container, a connection to its control socket or a heartbeat shows that it
 * runs. Without either, returns false after a few missed beats.
 */
export async function isHeld(folder: string, file: string, holder: LockHolder): Promise<boolean> {
  if (holder.released) return false;
  if (isLocal(holder)) return isAlive(holder.pid, holder.started);
  const { beatMs } = holder;
  if (beatMs === undefined) return true;
  const before = await touchedAt(file);
  for (let beat = 0; beat < MISSED_BEATS; beat += 1) {
    // The kernel accepts the connection, also for a process that is suspended.
    if (await isServed(join(folder, 'control.sock'))) return true;
    await systemClock().sleep(beatMs);
    if ((await touchedAt(file)) !== before) return true;
  }
  return false;
}

/** Returns true if the pid of the holder can be looked up here. */
function isLocal({ host, started, pidNamespace: namespace, beatMs }: LockHolder): boolean {
  if (host !== hostname()) return false;
  // Older releases did not record the namespace.
  if (beatMs === undefined) return true;
  const ours = pidNamespace();
  // Without namespaces, as on macOS, all processes of a host are visible.
  if (ours === null || namespace === null || namespace === undefined) return true;
  return namespace === ours && started?.startsWith(bootId() ?? ' ') === true;
}

async function touchedAt(file: string): Promise<number | null> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );
}

function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
