import { expect, test } from 'vitest';
import { isSameOrigin } from './same-origin.ts';

const STATED = 'https://data.example';

test.each([
  ['accepts the configured origin', STATED, 'https://data.example', 'data.example', true],
  [
    'accepts the configured origin, regardless of the Host header from a proxy',
    STATED,
    'https://data.example',
    'a:80',
    true,
  ],
  ['ignores the path of the configured URL', `${STATED}/eds`, 'https://data.example', 'a', true],
  [
    'rejects the configured host over plain HTTP',
    STATED,
    'http://data.example',
    'data.example',
    false,
  ],
  ['rejects a different port', STATED, 'https://data.example:8443', 'data.example', false],
  [
    'rejects the origin in the Host header if it differs from the configured one',
    STATED,
    'http://evil.example',
    'evil.example',
    false,
  ],
  ['rejects an opaque origin', STATED, 'null', 'data.example', false],
  [
    'without a configured URL, accepts the host over plain HTTP',
    null,
    'http://localhost:8080',
    'localhost:8080',
    true,
  ],
  [
    'without a configured URL, accepts the default port',
    null,
    'http://localhost',
    'localhost:80',
    true,
  ],
  [
    'without a configured URL, rejects the host over TLS',
    null,
    'https://localhost:8080',
    'localhost:8080',
    false,
  ],
  [
    'without a configured URL, rejects a different port',
    null,
    'http://localhost:8081',
    'localhost:8080',
    false,
  ],
  [
    'without a configured URL, rejects a different host',
    null,
    'http://evil.example',
    'localhost:8080',
    false,
  ],
  [
    'without a configured URL, rejects a request without a Host header',
    null,
    'http://localhost',
    undefined,
    false,
  ],
] as const)('%s', (_, publicUrl, origin, host, expected) => {
  expect(isSameOrigin({ origin, host }, publicUrl)).toBe(expected);
});

test('relies on Sec-Fetch-Site if there is no Origin header', () => {
  expect(isSameOrigin({ 'sec-fetch-site': 'same-origin' }, STATED)).toBe(true);
  expect(isSameOrigin({ 'sec-fetch-site': 'same-site' }, STATED)).toBe(false);
  expect(isSameOrigin({}, null)).toBe(false);
});
