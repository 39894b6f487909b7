import { sendRaw } from './raw-http.ts';

/**
 * Maximum number of connections opened at the same time. A server's accept queue holds 511
 * connections, and any further connection exists only on the client's side.
 */
export const BACKLOG_MAX = 200;

/**
 * Resolves when the server has accepted all earlier connections. It accepts connections in order,
 * so it responds to or rejects this one last.
 */
export async function allAccepted(port: number): Promise<void> {
  await sendRaw(port, {
    bytes: 'GET /v1/nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  });
}
