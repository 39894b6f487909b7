import { Agent, request } from 'node:http';
import { systemClock } from '../../../src/platform/clock.ts';

/** A response, or a broken connection. */
export interface Seen {
  sentMs: number;
  doneMs: number;
  /** Null if the connection broke. */
  status: number | null;
  retryAfter: string | null;
  body: string;
}

/** A client that sends requests continuously on one keep-alive connection. */
export interface Reader {
  seen: readonly Seen[];
  stop(): Promise<void>;
}

/** `pathOf` returns the next path. `pauseMs` is the pause after each response. */
export function startReader(
  port: number,
  { key, pathOf, pauseMs }: { key: string; pathOf: () => string; pauseMs: number },
): Reader {
  const clock = systemClock();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const seen: Seen[] = [];
  let isStopped = false;
  const running = loop();

  async function loop(): Promise<void> {
    while (!isStopped) {
      const sentMs = clock.monotonicMs();
      const answer = await ask({ port, agent, path: pathOf(), key });
      seen.push({ sentMs, doneMs: clock.monotonicMs(), ...answer });
      if (pauseMs > 0) await clock.sleep(pauseMs);
    }
  }

  return {
    seen,
    async stop() {
      isStopped = true;
      await running;
      agent.destroy();
    },
  };
}

/** Sends one request. A broken connection resolves with a null status. */
export function ask(options: {
  port: number;
  path: string;
  key: string;
  agent?: Agent;
}): Promise<Pick<Seen, 'status' | 'retryAfter' | 'body'>> {
  const { port, path, key, agent } = options;
  const broken = (error: Error) => ({ status: null, retryAfter: null, body: error.message });
  return new Promise((resolve) => {
    const headers = { 'X-Api-Key': key };
    const asked = request(
      { host: '127.0.0.1', port, path, headers, ...(agent === undefined ? {} : { agent }) },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => (body += text));
        response.once('error', (error) => resolve(broken(error)));
        response.once('end', () => {
          const retryAfter = response.headers['retry-after'] ?? null;
          resolve({ status: response.statusCode ?? null, retryAfter, body });
        });
      },
    );
    asked.once('error', (error) => resolve(broken(error))).end();
  });
}
