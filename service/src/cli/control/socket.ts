import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Connects to the running service that has this store open. Returns null if there is no such
 * service.
 */
export async function connectToControl(storeFolder: string, env: Env): Promise<Socket | null> {
  for (const path of candidates(storeFolder, env)) {
    // In a shared folder, another user could plant a socket.
    if (!isOwnedByUser(path)) continue;
    const socket = await tryConnect(path);
    if (socket !== null) return socket;
  }
  return null;
}

/** Checks whether a running service has this store open. */
export async function isControlServed(storeFolder: string, env: Env): Promise<boolean> {
  const socket = await connectToControl(storeFolder, env);
  socket?.destroy();
  return socket !== null;
}

/**
 * Returns the path to listen on. Creates its folder, readable only by this user, and removes a socket
 * left by a crashed service. The caller must hold the store's lock.
 */
export function prepareControlPath(storeFolder: string, env: Env): string {
  for (const path of candidates(storeFolder, env)) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (!isOwnedByUser(dirname(path))) continue;
    rmSync(path, { force: true });
    return path;
  }
  throw new Error(`no private folder available for the control socket of ${storeFolder}`);
}

function candidates(storeFolder: string, env: Env): string[] {
  return controlSocketPaths(storeFolder, {
    xdgRuntimeDir: env['XDG_RUNTIME_DIR'],
    temporaryFolder: tmpdir(),
    userId: userInfo().uid,
  });
}

function isOwnedByUser(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && !stat.isSymbolicLink() && stat.uid === userInfo().uid;
}

function tryConnect(path: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket));
    // This handler also absorbs later errors, because reads and writes detect the closed
    // connection.
    socket.on('error', () => resolve(null));
  });
}

/** Socket paths are limited to 104 bytes on macOS and 108 on Linux, including a terminating zero. */
const PATH_BYTES_MAX = 100;

export interface RuntimeFolders {
  /** `XDG_RUNTIME_DIR`, the user's private runtime folder, if there is one. */
  xdgRuntimeDir: string | undefined;
  temporaryFolder: string;
  userId: number;
}

/**
 * Returns the possible paths for a store's control socket, in order of preference. The first is in
 * the store's folder. In case that path is too long, the others use a hashed name in the user's
 * runtime folder and in the user's folder below the temporary folder. The server listens on the
 * first usable path. A client tries all of them, because `XDG_RUNTIME_DIR` may not be set in its
 * environment.
 */
export function controlSocketPaths(storeFolder: string, runtime: RuntimeFolders): string[] {
  const inStore = join(storeFolder, 'control.sock');
  if (isShortEnough(inStore)) return [inStore];
  const hash = createHash('sha256').update(storeFolder).digest('hex').slice(0, 16);
  const userFolder = `afterbell-${runtime.userId}`;
  const folders = [join(runtime.temporaryFolder, userFolder), join('/tmp', userFolder)];
  if (runtime.xdgRuntimeDir !== undefined && runtime.xdgRuntimeDir !== '') {
    folders.unshift(join(runtime.xdgRuntimeDir, 'afterbell'));
  }
  const paths = folders.map((folder) => join(folder, `${hash}.sock`));
  return [...new Set(paths)].filter(isShortEnough);
}

function isShortEnough(path: string): boolean {
  return Buffer.byteLength(path) <= PATH_BYTES_MAX;
}
