import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface FloodReport {
  port?: number;
  kinds?: string[];
  /** Bytes sent on each closed connection, by flood. */
  sentBytes?: Record<string, number[]>;
  openCount?: number;
}

export interface FloodingReceivers {
  port: number;
  /** Names of the floods, which are also their paths. */
  kinds: readonly string[];
  /** Resolves when all connections are closed. */
  report(): Promise<Required<Pick<FloodReport, 'sentBytes'>>>;
  stop(): void;
}

/** Starts flooding receivers in a separate process. */
export async function startFloodingReceivers(): Promise<FloodingReceivers> {
  const child = fork(fileURLToPath(new URL('flooding-receiver.ts', import.meta.url)));
  const { port = 0, kinds = [] } = await nextReport();

  async function nextReport(): Promise<FloodReport> {
    const [message] = (await once(child, 'message')) as [FloodReport];
    return message;
  }

  return {
    port,
    kinds,
    async report() {
      for (;;) {
        const reply = nextReport();
        child.send('report');
        const { sentBytes = {}, openCount } = await reply;
        if (openCount === 0) return { sentBytes };
      }
    },
    stop: () => void child.kill(),
  };
}
