import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Instant } from '../../../src/platform/instant.ts';

/** A POST: its path, its time and its change. */
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
  /** Returns the arrivals since the last call. */
  report(): Promise<Arrival[]>;
  stop(): void;
}

/** Starts receivers in a child process on the same machine, so that they share its clock. */
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
