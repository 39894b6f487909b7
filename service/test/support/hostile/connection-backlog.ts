import { sendRaw } from './raw-http.ts';

/**
 * Maximum number of connections opened at the same time: the accept queue of a server holds 511,
 * and a connection beyond that exists only on the client's side.
 */
export const BACKLOG_MAX = 200;

/**
 * Resolves when the server has accepted all earlier connections: it accepts them in order, and
 * answers or rejects this one last.
 */
export async function allAccepted(port: number): Promise<void> {
  await sendRaw(port, {
    bytes: 'GET /v1/nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  });
}
