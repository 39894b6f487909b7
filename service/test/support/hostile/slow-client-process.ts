import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ClosedConnection } from './slow-clients.ts';

export interface SlowClientOptions {
  port: number;
  beatMs: number;
  /** One connection of each: how it is held up, and the address it comes from. */
  holds: readonly { hold: string; from: string }[];
}

export interface SlowClientReport {
  /** How many of them stood, all accepted by the server. */
  openCount: number;
  closed: ClosedConnection[];
}

/**
 * Slow clients in a process of their own, which takes no time from those who read; resolves when the
 * server has ended every one of them.
 */
export async function runSlowClients(options: SlowClientOptions): Promise<SlowClientReport> {
  const child = fork(fileURLToPath(new URL('slow-client-child.ts', import.meta.url)));
  const message = once(child, 'message') as Promise<[SlowClientReport]>;
  const failed = once(child, 'close').then(([code]) => {
    throw new Error(`the slow clients ended with ${code}`);
  });
  child.send(options);
  const [report] = await Promise.race([message, failed]);
  return report;
}
