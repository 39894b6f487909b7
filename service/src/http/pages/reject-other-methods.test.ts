import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ReadServer, startReadServer } from '../../../test/support/read-server.ts';

let server: ReadServer;
beforeAll(async () => {
  server = await startReadServer();
});
afterAll(() => server.stop());

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const PAGES = ['/', '/docs', '/status', '/healthz', '/openapi.json', '/errors/invalid-date'];

test.each(PAGES.flatMap((path) => METHODS.map((method) => ({ method, path }))))(
  'rejects $method $path and lists the allowed methods',
  async ({ method, path }) => {
    const reply = await server.get(path, {}, method);
    expect([reply.status, reply.json().code]).toEqual([405, 'method-not-allowed']);
    expect(reply.headers.allow).toBe('GET, HEAD');
  },
);

test('rejects a disallowed method regardless of the media type of the body', async () => {
  const body =
    'POST /status HTTP/1.1\r\nHost: x\r\nContent-Type: a/b\r\nContent-Length: 2\r\n\r\n{}';
  expect(await server.raw(body)).toMatch(/^HTTP\/1\.1 405 [^]*\r\nallow: GET, HEAD\r\n/i);
});

test('returns 404 for every method on an unknown path', async () => {
  expect((await server.get('/nothing', {}, 'POST')).status).toBe(404);
});
