import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const BINARY = fileURLToPath(new URL('../../bin/afterbell.js', import.meta.url));

const SEED_SCRIPT = fileURLToPath(new URL('./seeded-stores.cjs', import.meta.url));

/**
 * Compiles WebAssembly once, without optimizing it, because test processes are short-lived. This is
 * a V8 flag on the command line, since setting it later would invalidate all code compiled before.
 */
const BASELINE_COMPILER = '--liftoff-only';

/**
 * Returns an environment that lets a process copy its store from a template. With an empty
 * `NODE_OPTIONS`, the process creates its store from scratch.
 */
export function seededEnv(): { STORE_SEED: string; NODE_OPTIONS: string } {
  const seed = process.env['MIGRATED_STORE_SEED'] ?? '';
  return { STORE_SEED: seed, NODE_OPTIONS: `--require=${SEED_SCRIPT}` };
}

/** Processes that a test leaves running are killed when the tests end. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** The real binary in a separate process that inherits no settings. */
export interface AfterbellProcess {
  child: ChildProcess;
  /** All output so far. */
  output: { stdout: string; stderr: string };
  /** Resolves with the first matching line on either stream. Rejects if the process ends first. */
  line(shape: RegExp): Promise<string>;
  /** Exit code, or the name of the signal that ended the process. */
  ended: Promise<number | string>;
}

export function spawnAfterbell(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): AfterbellProcess {
  const child = spawn(process.execPath, [BASELINE_COMPILER, BINARY, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], HOME: tmpdir(), ...seededEnv(), ...env },
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  const output = { stdout: '', stderr: '' };
  const lines: string[] = [];
  const waiters = new Set<() => void>();
  let isOver = false;
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
    createInterface({ input: child[name] }).on('line', (line) => {
      lines.push(line);
      for (const check of waiters) check();
    });
  }
  const ended = once(child, 'close').then((exit: unknown[]): number | string => {
    isOver = true;
    for (const check of waiters) check();
    const [code, signal] = exit;
    return typeof code === 'number' ? code : String(signal);
  });

  function line(shape: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      function check(): void {
        const match = lines.find((text) => shape.test(text));
        if (match === undefined && !isOver) return void waiters.add(check);
        waiters.delete(check);
        if (match !== undefined) resolve(match);
        else reject(new Error(`exited without ${shape}:\n${output.stdout}\n${output.stderr}`));
      }
      check();
    });
  }
  return { child, output, line, ended };
}

/** Runs one command and waits until it exits. */
export async function runAfterbell(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number | string; stdout: string; stderr: string }> {
  const { ended, output } = spawnAfterbell(args, env);
  return { code: await ended, ...output };
}

export interface StartedAfterbell extends AfterbellProcess {
  url: string;
  /** Sends a GET request and parses a JSON body. */
  get(path: string, key?: string): Promise<{ status: number; headers: Headers; body: unknown }>;
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number | string>;
}

/** Runs `afterbell start` on a free port and waits for its `ready` line. */
export async function startAfterbell(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<StartedAfterbell> {
  const instance = spawnAfterbell(['start', '--port', '0', ...args], env);
  const url = (await instance.line(/^ready /)).slice('ready '.length);
  return {
    ...instance,
    url,
    async get(path, key) {
      const response = await fetch(`${url}${path}`, {
        headers: key === undefined ? {} : { 'X-Api-Key': key },
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      return {
        status: response.status,
        headers: response.headers,
        body: isJson ? (JSON.parse(text) as unknown) : text,
      };
    },
    async stop() {
      instance.child.kill('SIGTERM');
      return instance.ended;
    },
  };
}

/** Creates a temporary folder that is removed when the test finishes. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'afterbell-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
