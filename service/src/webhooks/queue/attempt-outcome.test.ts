import { expect, test } from 'vitest';
import { classifyAttempt } from './attempt-outcome.ts';

test.each([200, 201, 202, 204, 226, 299])('treats status %i as delivered', (status) => {
  expect(classifyAttempt({ status })).toEqual({ kind: 'delivered' });
});

test.each([
  [300, 'redirect'],
  [301, 'redirect'],
  [302, 'redirect'],
  [304, 'redirect'],
  [307, 'redirect'],
  [308, 'redirect'],
  [400, 'http_4xx'],
  [401, 'http_4xx'],
  [404, 'http_4xx'],
  [409, 'http_4xx'],
  [429, 'http_4xx'],
  [499, 'http_4xx'],
  [500, 'http_5xx'],
  [503, 'http_5xx'],
  [599, 'http_5xx'],
  [999, 'http_5xx'],
])('retries status %i with the code %s', (status, code) => {
  expect(classifyAttempt({ status })).toEqual({ kind: 'retry', code });
});

test('treats status 410 as final', () => {
  expect(classifyAttempt({ status: 410 })).toEqual({ kind: 'gone', code: 'gone' });
});

test.each(['dns', 'connect', 'reset', 'tls', 'timeout', 'blocked_address'] as const)(
  'retries an attempt that got no response because of %s',
  (code) => {
    expect(classifyAttempt({ code })).toEqual({ kind: 'retry', code });
  },
);
