import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

export const SITE = 'earnings.example.com';

/** Requests a path from a proxy as a customer would. Resolves with the status. */
export function ask(
  url: string,
  path: string,
  options: {
    headers?: Readonly<Record<string, string>>;
    /** The local address from which to connect. */
    from?: string;
    method?: string;
    body?: string;
  } = {},
): Promise<number> {
  const { headers = {}, from = '127.0.0.1', method = 'GET', body = '' } = options;
  const { protocol, hostname, port } = new URL(url);
  const request = protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: hostname,
        port,
        path,
        method,
        localAddress: from,
        agent: false,
        rejectUnauthorized: false,
        headers: {
          Host: SITE,
          ...headers,
          'Content-Length': Buffer.byteLength(body),
        },
      },
      (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0));
      },
    );
    outgoing.once('error', reject).end(body);
  });
}

/** Requests a path over HTTP/2. Resolves with the status. */
export async function askHttp2(url: string, path: string, key: string): Promise<number> {
  const session = connectHttp2(url, { rejectUnauthorized: false });
  const stream = session.request({ ':path': path, ':authority': SITE, 'x-api-key': key });
  const facts: unknown[] = await once(stream, 'response');
  stream.resume();
  await once(stream, 'end');
  session.close();
  return Number((facts[0] as Record<string, unknown>)[':status']);
}

/** Sends raw bytes. Resolves with everything that is received. */
export function sendRaw(url: string, text: string): Promise<string> {
  const { protocol, hostname, port } = new URL(url);
  const to = { host: hostname, port: Number(port) };
  const socket =
    protocol === 'https:' ? connectTls({ ...to, rejectUnauthorized: false }) : connect(to);
  return new Promise((resolve, reject) => {
    let answer = '';
    socket.setEncoding('latin1').on('data', (piece: string) => (answer += piece));
    socket.once('close', () => resolve(answer)).once('error', reject);
    socket.write(text);
  });
}

/**
 * Requests a stream and disconnects once it has sent the expected text. Resolves with the status
 * and everything that was received.
 */
export function readStart(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  expected: string,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const options = {
      agent: false,
      rejectUnauthorized: false,
      headers: { Host: SITE, ...headers },
    };
    const request = url.startsWith('https:') ? httpsRequest : httpRequest;
    const outgoing = request(new URL(path, url), options, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (!text.includes(expected)) return;
        resolve({ status: response.statusCode ?? 0, text });
        outgoing.destroy();
      });
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    outgoing.on('error', reject).end();
  });
}
