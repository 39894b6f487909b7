import type { ServerResponse } from 'node:http';
import type { HttpResponse } from '../response/http-response.ts';

/**
 * Connects a stream to its response. `write` returns false once more bytes wait than the system
 * takes, so a client that does not read costs one buffer. The connection guard disconnects it.
 */
export function sendStream(
  response: ServerResponse,
  openStream: NonNullable<HttpResponse['openStream']>,
): void {
  // The client may be gone before the request was counted, and `close` is then not emitted again.
  if (response.destroyed) return;
  response.flushHeaders();
  const reader = openStream({
    write: (chunk) => response.write(chunk),
    end() {
      if (response.writableNeedDrain) response.destroy();
      else response.end();
    },
  });
  response.on('drain', () => reader.onDrained());
  response.once('close', () => reader.onClosed());
}
