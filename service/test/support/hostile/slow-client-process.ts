import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ClosedConnection } from './slow-clients.ts';

export interface SlowClientOptions {
  port: number;
  beatMs: number;
  /** Connections to open, each with its behavior and local address. */
  holds: readonly { hold: string; from: string }[];
}

export interface SlowClientReport {
  /** Number of connections that the server accepted. */
  openCount: number;
  closed: ClosedConnection[];
}

/**
 * Runs slow clients in a separate process, so that they take no CPU time from readers. Resolves
 * when the server has closed every connection.
 */
export async function runSlowClients(options: SlowClientOptions): Promise<SlowClientReport> {
  const child = fork(fileURLToPath(new URL('slow-client-child.ts', import.meta.url)));
  const message = once(child, 'message') as Promise<[SlowClientReport]>;
  const exited = once(child, 'close').then(([code]) => {
    throw new Error(`the slow clients exited with ${code}`);
  });
  child.send(options);
  const [report] = await Promise.race([message, exited]);
  return report;
}
