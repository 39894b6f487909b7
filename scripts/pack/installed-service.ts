import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

// Uses the packed service the way its users do. For the test of the packages.

const require = createRequire(import.meta.url);
const { cleanEnvironment } = require('../../service/bin/run-npm.js') as {
  cleanEnvironment(env: NodeJS.ProcessEnv): Record<string, string>;
};

/** A project into which a package is installed. */
export interface Project {
  folder: string;
  /** Runs a program in the folder. Throws an error with its output unless it exits with 0. */
  run(program: string, ...args: readonly string[]): string;
}

/**
 * Creates a project that installs a package without development packages. Programs see the machine's
 * own Node, not the one of this repository.
 */
export function installPackage(folder: string, tarball: string): Project {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  function run(program: string, ...args: readonly string[]): string {
    const options = { cwd: folder, env: userEnvironment(folder), encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(program, args, options);
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}:\n${stdout}${stderr}`);
    return stdout;
  }
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', 'install', '--omit=dev', '--prefer-offline', ...quiet, tarball);
  return { folder, run };
}

export interface InstalledService {
  url: string;
  /** The key in the requests that the service prints. */
  key: string;
  stderr: string;
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** Runs `npx afterbell start` until it is ready. */
export async function startInstalled({ folder }: Project): Promise<InstalledService> {
  const child = spawn('npx', ['--no-install', 'afterbell', 'start', '--port', '0'], {
    cwd: folder,
    env: { ...userEnvironment(folder), SANDBOX_SYMBOLS: '200' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // npx, its shell and the service form a group, as in a terminal.
    detached: true,
  });
  const output = { stderr: '' };
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const ready = /^ready (.*)$/.exec(await firstLine(child, () => output.stderr));
  const url = ready?.[1] ?? '';
  const key = /apikey=(\w+)/.exec(output.stderr)?.[1] ?? '';
  return {
    url,
    key,
    stderr: output.stderr,
    async stop() {
      process.kill(-(child.pid ?? 0), 'SIGTERM');
      const exit: unknown[] = await once(child, 'close');
      return exit[0] as number | null;
    },
  };
}

function firstLine(child: ChildProcess, stderr: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stdout === null) throw new Error('its output is not read');
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('error', reject);
    child.once('close', () => reject(new Error(`ended before it was ready:\n${stderr()}`)));
  });
}

function userEnvironment(folder: string): Record<string, string> {
  const { NODE_OPTIONS: _options, NODE_ENV: _mode, ...env } = cleanEnvironment(process.env);
  const path = (env['PATH'] ?? '').split(delimiter).filter((it) => !it.includes('node_modules'));
  return {
    ...env,
    PATH: path.join(delimiter),
    XDG_CACHE_HOME: join(folder, 'cache'),
    npm_config_prefer_offline: 'true',
  };
}
