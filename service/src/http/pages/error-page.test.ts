import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ReadServer, startReadServer } from '../../../test/support/read-server.ts';

let server: ReadServer;
beforeAll(async () => {
  server = await startReadServer();
});
afterAll(() => server.stop());

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test.each(['/nothing', '/%zz', '/errors/nothing', '/docs/nothing', '/v1nothing'])(
  'shows browsers an HTML page with links for the unknown path %s',
  async (path) => {
    const { status, headers, body } = await server.get(path, { Accept: BROWSER });
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(headers).toMatchObject({ vary: 'Accept', 'cache-control': 'no-store' });
    expect(headers['content-security-policy']).toContain("style-src 'self'");
    const html = body.toString();
    expect(html).toContain('<link rel="stylesheet" href="/site.css">');
    expect(html).toContain('<a href="/guides">');
    expect(html).not.toMatch(/nothing|<script|<style| style="/);
  },
);

test.each(['/v1', '/v1/nothing', '/v1?apikey=x', '/account/v1/nothing', '/operator/v1/nothing'])(
  'returns a problem document to browsers for the unknown API path %s',
  async (path) => {
    const { status, headers } = await server.get(path, { Accept: BROWSER });
    expect([status, headers['content-type']]).toEqual([404, 'application/problem+json']);
  },
);

test('returns a problem document to programs, and for a form posted to an unknown path', async () => {
  for (const reply of [
    await server.get('/nothing', { Accept: '*/*' }),
    await server.get('/nothing', { Accept: 'application/json' }),
    await server.get('/nothing', { Accept: BROWSER }, 'POST'),
  ]) {
    expect([reply.status, reply.headers.vary, reply.json().code]).toEqual([
      404,
      'Accept',
      'not-found',
    ]);
  }
});
