import { sendRaw } from './raw-http.ts';

/**
 * Connections opened at once, at most: the queue of those that a server has not accepted yet holds
 * 511, and one that finds it full stands on the client's side alone, which nobody can shed.
 */
export const BACKLOG_MAX = 200;

/**
 * Resolves when the server has accepted all connections that stood before: it takes them in their
 * order, and this one more is answered, or turned away.
 */
export async function allAccepted(port: number): Promise<void> {
  await sendRaw(port, {
    bytes: 'GET /v1/nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  });
}
