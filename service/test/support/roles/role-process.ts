import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type RoleEnv, startRole } from './start-role.ts';

export type Kind = 'serve' | 'work' | 'ingest';

/** A process of a role that a test may stop, kill and restart. */
export interface Post {
  kind: Kind;
  /** Listening port of a server; otherwise 0. */
  port: number;
  isUp(): boolean;
  start(): Promise<void>;
  /** Resolves with the exit code or the name of the signal. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | string>;
}

/** Factor by which ingestion waits are shortened. */
const HASTE = 10;

export function rolePost(kind: 'serve' | 'work', env: RoleEnv, port: number): Post {
  let running: Awaited<ReturnType<typeof startRole>> | null = null;
  return {
    kind,
    port,
    isUp: () => running !== null,
    async start() {
      running = await startRole(kind, env, port);
    },
    async end(signal) {
      const ending = running;
      running = null;
      ending?.child.kill(signal);
      const code = await ending?.ended;
      if (code !== 0 && signal === 'SIGTERM') throw new Error(`${kind}: ${ending?.output.stderr}`);
      return code ?? 0;
    },
  };
}

/** An ingesting process. Calls `stored` for each acknowledged count. */
export function ingestPost(
  { url }: RoleEnv,
  seed: number,
  stored: (symbol: string, count: number) => void,
): Post {
  const script = fileURLToPath(new URL('./ingest-child.ts', import.meta.url));
  let running: { end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | string> } | null = null;
  let starts = 0;

  async function start(): Promise<void> {
    starts += 1;
    const orders = JSON.stringify({ url, seed: seed * 1_000 + starts, times: HASTE });
    const child = spawn(process.execPath, [script, orders], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'close') as Promise<[number | null, string | null]>;
    const isReady = Promise.withResolvers<void>();
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [symbol = '', count] = line.split(' ');
      if (count === undefined) isReady.resolve();
      else stored(symbol, Number(count));
    });
    void ended.then(() => isReady.reject(new Error('the ingesting process exited')));
    await isReady.promise;
    running = {
      async end(signal) {
        child.kill(signal);
        const [code, by] = await ended;
        return code ?? String(by);
      },
    };
  }

  return {
    kind: 'ingest',
    port: 0,
    isUp: () => running !== null,
    start,
    async end(signal) {
      const ending = running;
      running = null;
      return (await ending?.end(signal)) ?? 0;
    },
  };
}
