import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const BINARY = fileURLToPath(new URL('../../bin/afterbell.js', import.meta.url));

const SEEDED = fileURLToPath(new URL('./seeded-stores.cjs', import.meta.url));

/**
 * Compiles WebAssembly once and plainly, as most tests do themselves: a command runs the engine for a
 * second or two, and no service here for long. A flag of Node's own, since what is set later makes all
 * that was compiled before of no use.
 */
const PLAIN = '--liftoff-only';

/**
 * Lets a program begin its store as a copy. With `NODE_OPTIONS` of a test's own, as an empty one, it
 * makes the store from nothing.
 */
export function seededEnv(): { STORE_SEED: string; NODE_OPTIONS: string } {
  return { STORE_SEED: process.env['STORE_SEED'] ?? '', NODE_OPTIONS: `--require=${SEEDED}` };
}

/** What a test leaves running ends with the tests. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** The real binary in a process of its own, with nothing of this process's settings. */
export interface AfterbellProcess {
  child: ChildProcess;
  /** Everything said so far. */
  output: { stdout: string; stderr: string };
  /** Resolves with the first line of either stream that fits; rejects when the process ends first. */
  line(shape: RegExp): Promise<string>;
  /** The exit code, or the name of the signal that ended it. */
  ended: Promise<number | string>;
}

export function spawnAfterbell(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): AfterbellProcess {
  const child = spawn(process.execPath, [PLAIN, BINARY, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], HOME: tmpdir(), ...seededEnv(), ...env },
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  const output = { stdout: '', stderr: '' };
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let isOver = false;
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
    createInterface({ input: child[name] }).on('line', (line) => {
      lines.push(line);
      for (const look of waiting) look();
    });
  }
  const ended = once(child, 'close').then((facts: unknown[]): number | string => {
    isOver = true;
    for (const look of waiting) look();
    const [code, signal] = facts;
    return typeof code === 'number' ? code : String(signal);
  });

  function line(shape: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      function look(): void {
        const found = lines.find((text) => shape.test(text));
        if (found === undefined && !isOver) return void waiting.add(look);
        waiting.delete(look);
        if (found !== undefined) resolve(found);
        else reject(new Error(`ended without ${shape}:\n${output.stdout}\n${output.stderr}`));
      }
      look();
    });
  }
  return { child, output, line, ended };
}

/** Runs one command to its end. */
export async function runAfterbell(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number | string; stdout: string; stderr: string }> {
  const { ended, output } = spawnAfterbell(args, env);
  return { code: await ended, ...output };
}

export interface StartedAfterbell extends AfterbellProcess {
  url: string;
  /** The body of an answer and what came with it. */
  get(path: string, key?: string): Promise<{ status: number; headers: Headers; body: unknown }>;
  /** Ends it as an operator would; resolves with the exit code. */
  stop(): Promise<number | string>;
}

/** `afterbell start` on a free port, up to its `ready` line. */
export async function startAfterbell(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<StartedAfterbell> {
  const started = spawnAfterbell(['start', '--port', '0', ...args], env);
  const url = (await started.line(/^ready /)).slice('ready '.length);
  return {
    ...started,
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
      started.child.kill('SIGTERM');
      return started.ended;
    },
  };
}

/** A folder that is gone when the test is over. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'afterbell-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
