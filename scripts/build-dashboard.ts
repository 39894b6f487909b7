import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt, noteBuilt } from './built-stamp.ts';

// npm run build builds the web pages if their sources have changed since the last build
//
// This script also runs before start and test. It never writes to stdout, which belongs to the
// command that follows.

type TakeLock = (file: string, say: (line: string) => void) => Promise<() => void>;

const require = createRequire(import.meta.url);
const { takeLock } = require('./bootstrap-lock.cjs') as { takeLock: TakeLock };

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'dashboard');
if (!isBuilt(folder)) {
  const release = await takeLock(join(root, '.build.lock'), say);
  // Another process may have built the pages while this process waited.
  if (!isBuilt(folder)) build();
  release();
}

function build(): void {
  const startedAt = process.uptime();
  say('afterbell: building the dashboard (first start, or its sources changed) …');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [vite, 'build'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) {
    say(`${stdout}${stderr}`);
    say('afterbell: could not build the dashboard; see above.');
    process.exitCode = 1;
    return;
  }
  noteBuilt(folder);
  say(`afterbell: dashboard built in ${Math.ceil(process.uptime() - startedAt)} s`);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
