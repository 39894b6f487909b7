import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Instant } from '../../../src/platform/instant.ts';

/** The path, time and change of a received POST. */
export interface Arrival {
  path: string;
  at: Instant;
  change: number;
}

export interface ReceiverMessage {
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
  const { port = 0 } = await nextMessage();

  async function nextMessage(): Promise<ReceiverMessage> {
    const [message] = (await once(child, 'message')) as [ReceiverMessage];
    return message;
  }

  return {
    port,
    async report() {
      const message = nextMessage();
      child.send('report');
      return (await message).arrivals ?? [];
    },
    stop: () => void child.kill(),
  };
}
