import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Instant } from '../../../src/platform/instant.ts';

/** A POST with a result, on the machine's own clock. */
export interface EveningArrival {
  path: string;
  symbol: string;
  at: Instant;
}

/** Starts a receiver in a child process. */
export async function receiveResults() {
  const child = fork(fileURLToPath(new URL('evening-receiver.ts', import.meta.url)), {
    serialization: 'advanced',
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    port,
    async arrivals(): Promise<EveningArrival[]> {
      const answer = once(child, 'message');
      child.send('report');
      const [message] = (await answer) as [{ arrivals: EveningArrival[] }];
      return message.arrivals;
    },
    stop: () => void child.kill(),
  };
}
