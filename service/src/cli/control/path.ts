import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** Unix socket paths end at 104 bytes on macOS and 108 on Linux, a closing zero included. */
const PATH_BYTES_MAX = 100;

export interface RuntimeFacts {
  /** `XDG_RUNTIME_DIR`: a private folder of the user, where there is one. */
  xdgRuntimeDir: string | undefined;
  temporaryFolder: string;
  userId: number;
}

/**
 * Where the control socket of a store may be, best first: in the store's folder; when that path is
 * too long, under a short hash of it in the user's runtime folder, or in a folder of the user's own
 * under the temporary one. The server takes the first it can; a client, whose environment may lack
 * the runtime folder, tries them in turn.
 */
export function controlSocketPaths(storeFolder: string, facts: RuntimeFacts): string[] {
  const inStore = join(storeFolder, 'control.sock');
  if (isShortEnough(inStore)) return [inStore];
  const hash = createHash('sha256').update(storeFolder).digest('hex').slice(0, 16);
  const own = `afterbell-${facts.userId}`;
  const folders = [join(facts.temporaryFolder, own), join('/tmp', own)];
  if (facts.xdgRuntimeDir !== undefined && facts.xdgRuntimeDir !== '') {
    folders.unshift(join(facts.xdgRuntimeDir, 'afterbell'));
  }
  const paths = folders.map((folder) => join(folder, `${hash}.sock`));
  return [...new Set(paths)].filter(isShortEnough);
}

function isShortEnough(path: string): boolean {
  return Buffer.byteLength(path) <= PATH_BYTES_MAX;
}
