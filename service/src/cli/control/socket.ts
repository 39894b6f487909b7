import { lstatSync, mkdirSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname } from 'node:path';
import { controlSocketPaths } from './path.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** A connection to the service that holds this store, or null when none answers. */
export async function connectToControl(storeFolder: string, env: Env): Promise<Socket | null> {
  for (const path of candidates(storeFolder, env)) {
    // A socket of somebody else in a shared folder would be a trap.
    if (!isOwn(path)) continue;
    const socket = await tryConnect(path);
    if (socket !== null) return socket;
  }
  return null;
}

/** Whether a running service holds this store. */
export async function isControlServed(storeFolder: string, env: Env): Promise<boolean> {
  const socket = await connectToControl(storeFolder, env);
  socket?.destroy();
  return socket !== null;
}

/**
 * A path on which the holder of the store may listen: its folder exists and is private, and what a
 * dead service left there is gone. Whoever asks must hold the store's lock.
 */
export function prepareControlPath(storeFolder: string, env: Env): string {
  for (const path of candidates(storeFolder, env)) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (!isOwn(dirname(path))) continue;
    rmSync(path, { force: true });
    return path;
  }
  throw new Error(`no folder of one's own for the control socket of ${storeFolder}`);
}

function candidates(storeFolder: string, env: Env): string[] {
  return controlSocketPaths(storeFolder, {
    xdgRuntimeDir: env['XDG_RUNTIME_DIR'],
    temporaryFolder: tmpdir(),
    userId: userInfo().uid,
  });
}

function isOwn(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && !stat.isSymbolicLink() && stat.uid === userInfo().uid;
}

function tryConnect(path: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket));
    // Stays for later errors too: whoever reads or writes learns of the end by itself.
    socket.on('error', () => resolve(null));
  });
}
