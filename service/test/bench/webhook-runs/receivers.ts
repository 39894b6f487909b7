import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Instant } from '../../../src/platform/instant.ts';

/** A POST: at which path, when, and of which change. */
export interface Arrival {
  path: string;
  at: Instant;
  change: number;
}

export interface ReceiverTold {
  port?: number;
  arrivals?: Arrival[];
}

export interface ClockedReceivers {
  port: number;
  /** What came since the last time. */
  report(): Promise<Arrival[]>;
  stop(): void;
}

/** Receivers in a process of their own, on the same machine and so on the same clock. */
export async function startClockedReceivers(): Promise<ClockedReceivers> {
  const child = fork(fileURLToPath(new URL('receiver.ts', import.meta.url)), {
    serialization: 'advanced',
  });
  const { port = 0 } = await told();

  async function told(): Promise<ReceiverTold> {
    const [message] = (await once(child, 'message')) as [ReceiverTold];
    return message;
  }

  return {
    port,
    async report() {
      const answer = told();
      child.send('report');
      return (await answer).arrivals ?? [];
    },
    stop: () => void child.kill(),
  };
}
