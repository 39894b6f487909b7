import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface FloodReport {
  port?: number;
  kinds?: string[];
  /** By kind, of each connection that is over: bytes that were taken from the receiver's process. */
  written?: Record<string, number[]>;
  openCount?: number;
}

export interface FloodingReceivers {
  port: number;
  /** Each is a path. */
  kinds: readonly string[];
  /** Once no connection stands any more. */
  report(): Promise<Required<Pick<FloodReport, 'written'>>>;
  stop(): void;
}

/** Receivers that flood whoever asks, in a process of their own. */
export async function startFloodingReceivers(): Promise<FloodingReceivers> {
  const child = fork(fileURLToPath(new URL('flooding-receiver.ts', import.meta.url)));
  const { port = 0, kinds = [] } = await told();

  async function told(): Promise<FloodReport> {
    const [message] = (await once(child, 'message')) as [FloodReport];
    return message;
  }

  return {
    port,
    kinds,
    async report() {
      for (;;) {
        const answer = told();
        child.send('report');
        const { written = {}, openCount } = await answer;
        if (openCount === 0) return { written };
      }
    },
    stop: () => void child.kill(),
  };
}
