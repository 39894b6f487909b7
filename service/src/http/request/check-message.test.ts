import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ReadServer, startReadServer } from '../../../test/support/read-server.ts';
import { splitResponses } from '../../../test/support/hostile/split-responses.ts';

let server: ReadServer;
beforeAll(async () => {
  server = await startReadServer();
});
afterAll(() => server.stop());

const MANY = Array.from({ length: 2_100 }, () => 'a:\r\n').join('');

test.each([
  ['HTTP/2.0', 'GET /v1/x HTTP/2.0\r\nHost: a\r\n\r\n', 400, 'invalid-parameter'],
  ['HTTP/0.9', 'GET / HTTP/0.9\r\nHost: a\r\n\r\n', 400, 'invalid-parameter'],
  [
    'a transfer encoding other than chunked',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: x, chunked\r\n\r\n0\r\n\r\n',
    400,
    'invalid-parameter',
  ],
  [
    'HTTP/1.0 with chunks',
    'POST / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
    'invalid-parameter',
  ],
  ['a list of hosts', 'GET / HTTP/1.1\r\nHost: a, b\r\n\r\n', 400, 'invalid-parameter'],
  ['a host with a path', 'GET / HTTP/1.1\r\nHost: a/b@c\r\n\r\n', 400, 'invalid-parameter'],
  [
    'headers over 8 KiB including their separators',
    `GET / HTTP/1.1\r\nHost: a\r\n${MANY}\r\n`,
    431,
    'headers-too-large',
  ],
  [
    'a second Host header after two thousand others',
    `GET / HTTP/1.1\r\nHost: a\r\n${MANY}Host: b\r\n\r\n`,
    400,
    'invalid-parameter',
  ],
  [
    'a page with a URL that is too long',
    `GET /${'x'.repeat(2_048)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    414,
    'uri-too-long',
  ],
  [
    'a page request with a body',
    'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx',
    400,
    'invalid-parameter',
  ],
  ['an unknown method on a page', 'QUERY / HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method-not-allowed'],
  ['TRACE', 'TRACE / HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'method-not-allowed'],
])('rejects %s and closes the connection', async (_, bytes, status, code) => {
  const next = 'GET /v1/nothing HTTP/1.1\r\nHost: a\r\n\r\n';
  const { responses: answers, rest } = splitResponses(await server.raw(bytes + next));
  expect(rest).toBe('');
  expect(answers.map((answer) => answer.status)).toEqual([status]);
  expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject({ status, code });
  expect(answers[0]?.head).toMatch(/\r\nConnection: close/);
});

test.each(['', 'a.example:8080', '127.0.0.1', '[::1]:8080', 'xn--bcher-kva.example', 'a_b'])(
  'accepts the host "%s"',
  async (host) => {
    const text = await server.raw(
      `GET /v1/status-stub HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 (?!400)/);
  },
);

test('accepts a page URL of 2,048 characters', async () => {
  expect((await server.get(`/${'x'.repeat(2_047)}`)).status).toBe(404);
});

test('rejects a body sent to a page that accepts none', async () => {
  const answer = await server.raw(
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/csv\r\nContent-Length: 1\r\n\r\nx',
  );
  expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect(server.log.entries).toEqual([]);
});
