import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { type CellReport, type ReadyState, readyResponse } from './readiness.ts';

export interface MetricsServer {
  /** The URL `http://HOST:PORT/metrics` with the actual port number. */
  url: string;
  close(): Promise<void>;
}

/**
 * Serves GET /metrics, /healthz and /readyz on a separate port without authentication, so anyone
 * who can reach the port can read them. Rejects if the port is not available.
 */
export async function startMetricsServer(options: {
  metrics: Pick<Metrics, 'text' | 'contentType'>;
  readiness: {
    state(): ReadyState | Promise<ReadyState>;
    cell?(): CellReport | null;
  };
  host: string;
  /** Use 0 for any free port. */
  port: number;
  log: Log;
}): Promise<MetricsServer> {
  const { metrics, readiness, host, port, log } = options;
  const server = createServer((request, response) => void respond(request, response));

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume();
    const [path] = (request.url ?? '').split('?');
    if (path === undefined || !PATHS.includes(path)) {
      return end(response, 404, `Unknown path. Available: ${PATHS.join(', ')}.\n`);
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return end(
        response.setHeader('Allow', 'GET, HEAD'),
        405,
        'Only GET and HEAD are supported.\n',
      );
    }
    if (path === '/healthz') return sendHealth(response, HEALTHY);
    if (path === '/readyz') {
      const cell = readiness.cell?.() ?? null;
      return sendHealth(response, readyResponse(await readiness.state(), cell));
    }
    try {
      const text = await metrics.text();
      end(response.setHeader('Content-Type', metrics.contentType), 200, text);
    } catch (error) {
      log.error({ event: 'metrics.failed', err: error }, 'metrics unavailable');
      end(response, 500, 'Metrics are unavailable. See the log for the cause.\n');
    }
  }

  function sendHealth(response: ServerResponse, { status, headers, body }: Health): void {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.setHeader('Content-Type', 'application/json');
    end(response, status, JSON.stringify(body));
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve());
  });
  const { port: actualPort } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const PATHS: readonly string[] = ['/metrics', '/healthz', '/readyz'];

interface Health {
  status: number;
  headers: Record<string, string>;
  body: { status: string };
}

const HEALTHY: Health = { status: 200, headers: {}, body: { status: 'ok' } };

function end(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'text/plain');
  response.end(text);
}
