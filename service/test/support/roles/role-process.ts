import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type RoleEnv, startRole } from './start-role.ts';

export type Kind = 'serve' | 'work' | 'ingest';

/** A process for one role. A test may stop, kill and restart it. */
export interface RoleProcess {
  kind: Kind;
  /** A server's listening port. Zero for other roles. */
  port: number;
  isUp(): boolean;
  start(): Promise<void>;
  /** Ends the process. Resolves with the exit code or the signal name. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | string>;
}

/** Factor by which ingestion waits are shortened. */
const SPEED = 10;

export function roleProcess(kind: 'serve' | 'work', env: RoleEnv, port: number): RoleProcess {
  let running: Awaited<ReturnType<typeof startRole>> | null = null;
  return {
    kind,
    port,
    isUp: () => running !== null,
    async start() {
      running = await startRole(kind, env, port);
    },
    async end(signal) {
      const current = running;
      running = null;
      current?.child.kill(signal);
      const code = await current?.ended;
      if (code !== 0 && signal === 'SIGTERM') throw new Error(`${kind}: ${current?.output.stderr}`);
      return code ?? 0;
    },
  };
}

/** Starts an ingestion process. Calls `onStored` for each acknowledged count. */
export function ingestProcess(
  { url }: RoleEnv,
  seed: number,
  onStored: (symbol: string, count: number) => void,
): RoleProcess {
  const script = fileURLToPath(new URL('./ingest-child.ts', import.meta.url));
  let running: { end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | string> } | null = null;
  let starts = 0;

  async function start(): Promise<void> {
    starts += 1;
    const orders = JSON.stringify({ url, seed: seed * 1_000 + starts, speed: SPEED });
    const child = spawn(process.execPath, [script, orders], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'close') as Promise<[number | null, string | null]>;
    const isReady = Promise.withResolvers<void>();
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [symbol = '', count] = line.split(' ');
      if (count === undefined) isReady.resolve();
      else onStored(symbol, Number(count));
    });
    void ended.then(() => isReady.reject(new Error('the ingesting process exited')));
    await isReady.promise;
    running = {
      async end(signal) {
        child.kill(signal);
        const [code, endSignal] = await ended;
        return code ?? String(endSignal);
      },
    };
  }

  return {
    kind: 'ingest',
    port: 0,
    isUp: () => running !== null,
    start,
    async end(signal) {
      const current = running;
      running = null;
      return (await current?.end(signal)) ?? 0;
    },
  };
}
