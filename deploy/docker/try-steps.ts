import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { buildImage, type Image, inFolder, runner } from './build-image.ts';
import { readDockerIgnore } from './docker-ignore.ts';
import { parseDockerfile } from './dockerfile.ts';

// node deploy/docker/try-steps.ts runs the steps of the Dockerfile in a scratch folder and starts
// the result
//
// For machines without a container engine. If started by root, the service runs as a separate user,
// which can write only to its data and to the temporary folder.

/** The observed results. */
export interface TrialResult {
  /**
   * Exit codes of the health check before the start and once ready, or the signal that ended it.
   */
  health: { beforeStart: number | string; ready: number | string };
  /** Exit code after SIGTERM. */
  exitCode: number | string;
  /** Files under /app that were added, removed or changed during the run. */
  changed: readonly string[];
  /** Top-level entries of the data folder at the end. */
  data: readonly string[];
  /** The user that the service ran as, and the owner of the program. */
  uid: number;
  ownerOfApp: number;
  output: string;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);
const { cleanEnvironment } = require('../../service/bin/run-npm.js') as {
  cleanEnvironment(env: NodeJS.ProcessEnv): Record<string, string>;
};

if (import.meta.main) {
  const { output, ...result } = await trySteps((line) => console.error(line));
  console.error(output);
  console.log(JSON.stringify(result, null, 2));
}

/**
 * Builds, starts, checks and stops the image. Throws if a step fails or the service does not become
 * ready.
 */
export async function trySteps(print: (line: string) => void): Promise<TrialResult> {
  const scratch = mkdtempSync(join(tmpdir(), 'afterbell-image-'));
  try {
    // The user that runs the service needs access to the folder.
    chmodSync(scratch, 0o755);
    const context = join(scratch, 'context');
    copyContext(context);
    const stages = parseDockerfile(readFileSync(new URL('Dockerfile', import.meta.url), 'utf8'));
    const image = buildImage(stages, { context, scratch, env: buildEnvironment(), say: print });
    print('starting');
    return await tryImage(image);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function copyContext(to: string): void {
  const isIncluded = readDockerIgnore(readFileSync(join(ROOT, '.dockerignore'), 'utf8'));
  for (const path of filesBelow(ROOT, isHeavy)) {
    if (isIncluded(path)) cpSync(join(ROOT, path), join(to, path), { recursive: true });
  }
}

/** Returns true for folders that are never copied and are too large to traverse. */
function isHeavy(name: string): boolean {
  return ['node_modules', '.git', '.data', 'dist'].includes(name);
}

/** Returns paths relative to `folder`, for files and links only. */
function filesBelow(folder: string, isExcluded: (name: string) => boolean = () => false): string[] {
  const walk = (at: string): string[] =>
    readdirSync(at, { withFileTypes: true })
      .filter(({ name }) => !isExcluded(name))
      .flatMap((entry) => {
        const path = join(at, entry.name);
        return entry.isDirectory() ? walk(path) : [relative(folder, path)];
      });
  return walk(folder).toSorted();
}

/** Returns this process's environment without the variables that npm and the test runner add. */
function buildEnvironment(): Record<string, string> {
  const { NODE_ENV: _mode, NODE_OPTIONS: _options, ...env } = cleanEnvironment(process.env);
  const folders = (env['PATH'] ?? '').split(delimiter);
  const path = [join(process.execPath, '..'), ...folders.filter((it) => !it.includes('.bin'))];
  return { ...env, PATH: path.join(delimiter), npm_config_prefer_offline: 'true' };
}

async function tryImage(image: Image): Promise<TrialResult> {
  const { root, user } = image;
  if (user === null) throw new Error('it would run as root');
  // The base image has Node at this path. The user that runs the service may not have access to the
  // Node that runs this process.
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'));
  mkdirSync(join(root, 'tmp'));
  chmodSync(join(root, 'tmp'), 0o1777);
  const app = join(root, 'app');
  if (runner(user).uid === lstatSync(app).uid) removeWritePermission(app);
  const before = stateOf(app);
  const beforeStart = await exitOf(start(image, image.health, 'ignore'));
  const service = start(image, [...image.entry, ...image.command], 'pipe');
  const { output, ready } = listenTo(service);
  await ready;
  const health = { beforeStart, ready: await exitOf(start(image, image.health, 'ignore')) };
  service.kill('SIGTERM');
  const exitCode = await exitOf(service);
  const after = stateOf(app);
  const paths = new Set([...before.keys(), ...after.keys()]);
  return {
    health,
    exitCode,
    output: output(),
    changed: [...paths].filter((path) => before.get(path) !== after.get(path)),
    data: readdirSync(join(root, 'data')),
    uid: runner(user).uid,
    ownerOfApp: lstatSync(app).uid,
  };
}

/**
 * Makes the files read-only. If this process is not root, the service runs as the owner of the
 * files and could otherwise write to them.
 */
function removeWritePermission(folder: string): void {
  for (const path of filesBelow(folder).map((file) => join(folder, file))) {
    const facts = lstatSync(path);
    if (facts.isFile()) chmodSync(path, facts.mode & 0o555);
  }
}

function stateOf(folder: string): Map<string, string> {
  const entries = filesBelow(folder).map((path): [string, string] => {
    const { size, mtimeMs, mode } = lstatSync(join(folder, path));
    return [path, `${size} ${mtimeMs} ${mode}`];
  });
  return new Map(entries);
}

/** Starts the image with its own settings and the settings that a user has to add. */
function start(image: Image, command: readonly string[], output: 'pipe' | 'ignore'): ChildProcess {
  const { root, workdir, env, user } = image;
  const resolved: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) resolved[name] = inFolder(value, root);
  const [program = '', ...args] = command.map((word) => inFolder(word, root));
  return spawn(program, args, {
    ...runner(user ?? ''),
    cwd: join(root, workdir),
    stdio: ['ignore', output, output],
    env: {
      ...resolved,
      HOST: '127.0.0.1',
      PORT: '18391',
      SANDBOX_SYMBOLS: '20',
      PUBLIC_URL: 'https://earnings.example.com',
      PATH: `${join(root, 'usr/local/bin')}${delimiter}/usr/bin${delimiter}/bin`,
      TMPDIR: join(root, 'tmp'),
      HOME: '/nonexistent',
    },
  });
}

function listenTo(service: ChildProcess): { output: () => string; ready: Promise<void> } {
  let output = '';
  const ready = new Promise<void>((resolve, reject) => {
    for (const stream of [service.stdout, service.stderr]) {
      if (stream === null) throw new Error('its output is not kept');
      createInterface({ input: stream }).on('line', (line) => {
        output += `${line}\n`;
        if (line.startsWith('ready ')) resolve();
      });
    }
    service.once('error', reject);
    service.once('close', () => reject(new Error(`it ended before it was ready:\n${output}`)));
  });
  return { output: () => output, ready };
}

async function exitOf(child: ChildProcess): Promise<number | string> {
  const facts: unknown[] = await once(child, 'close');
  return typeof facts[0] === 'number' ? facts[0] : String(facts[1]);
}
