import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ReadServer, startReadServer } from '../../test/support/read-server.ts';

let server: ReadServer;
beforeAll(async () => {
  server = await startReadServer();
});
afterAll(() => server.stop());

const RUNS = 400;

/** Fragments of real attacks, mixed with random noise. */
const piece = fc.oneof(
  fc.constantFrom(
    '/v1/',
    'calendar/stub',
    'profile-stub/',
    '?',
    '&',
    '=',
    'date=',
    'apikey=',
    'today',
    '%',
    '%00',
    '%2f',
    '..',
    '%ff',
    '%c0%ae',
    '+',
    ';',
    '#',
    '//',
    '__proto__',
    'constructor',
    '2026-11-20',
    'loud=1',
    'symbol',
    '\u007f',
    ' ',
    '\t',
    '[]',
    '{symbol}',
    'KEY',
  ),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

const target = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));
const method = fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'get', 'TRACE', 'G\u0000T', '');
const header = fc.tuple(
  fc.constantFrom('Accept', 'If-None-Match', 'Authorization', 'X-Api-Key', 'Expect', 'Host', 'Te'),
  fc.oneof(fc.constantFrom('*/*', '*', 'W/"x', 'Bearer KEY', 'KEY', '100-continue'), fc.string()),
);

test('responds to arbitrary bytes with a 2xx, a 3xx or a documented 4xx', async () => {
  await fc.assert(
    fc.asyncProperty(
      method,
      target,
      fc.array(header, { maxLength: 5 }),
      async (method, target, headers) => {
        const path = `/v1/${target}`.replaceAll('KEY', server.keys.good);
        const lines = headers.map(
          ([name, value]) => `${name}: ${value.replaceAll('KEY', server.keys.good)}\r\n`,
        );
        const text = `${method} ${path} HTTP/1.1\r\nHost: a\r\n${lines.join('')}`;
        const answer = await server.raw(`${text}Connection: close\r\n\r\n`);
        checkAnswer(answer.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, ''), method);
      },
    ),
    { seed: Number(process.env.FUZZ_SEED ?? 20_261_120), numRuns: RUNS },
  );
});

function checkAnswer(answer: string, method: string): void {
  const [, status = ''] = /^HTTP\/1\.1 (\d{3}) /.exec(answer) ?? [];
  expect(answer, 'an answer with a status').not.toBe('');
  expect(Number(status)).toBeLessThan(500);
  if (Number(status) < 400 || method === 'HEAD') return;
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  expect(JSON.parse(body)).toMatchObject({
    status: Number(status),
    code: expect.stringMatching(/^[a-z-]+$/) as string,
    instance: expect.stringMatching(/^req_/) as string,
  });
}
