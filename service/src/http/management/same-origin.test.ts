import { expect, test } from 'vitest';
import { isSameOrigin } from './same-origin.ts';

const STATED = 'https://data.example';

test.each([
  ['the stated origin', STATED, 'https://data.example', 'data.example', true],
  ['the stated origin, whatever host a proxy asks', STATED, 'https://data.example', 'a:80', true],
  ['a stated path does not matter', `${STATED}/eds`, 'https://data.example', 'a', true],
  ['the same host in clear', STATED, 'http://data.example', 'data.example', false],
  ['another port', STATED, 'https://data.example:8443', 'data.example', false],
  [
    'the host of the request, which is not the stated',
    STATED,
    'http://evil.example',
    'evil.example',
    false,
  ],
  ['a page of nowhere', STATED, 'null', 'data.example', false],
  ['nothing stated, the host in clear', null, 'http://localhost:8080', 'localhost:8080', true],
  ['nothing stated, the default port', null, 'http://localhost', 'localhost:80', true],
  ['nothing stated, the host over TLS', null, 'https://localhost:8080', 'localhost:8080', false],
  ['nothing stated, another port', null, 'http://localhost:8081', 'localhost:8080', false],
  ['nothing stated, another host', null, 'http://evil.example', 'localhost:8080', false],
  ['nothing stated, no host', null, 'http://localhost', undefined, false],
] as const)('%s', (_, publicUrl, origin, host, expected) => {
  expect(isSameOrigin({ origin, host }, publicUrl)).toBe(expected);
});

test('without an Origin header, relies on Sec-Fetch-Site', () => {
  expect(isSameOrigin({ 'sec-fetch-site': 'same-origin' }, STATED)).toBe(true);
  expect(isSameOrigin({ 'sec-fetch-site': 'same-site' }, STATED)).toBe(false);
  expect(isSameOrigin({}, null)).toBe(false);
});
