import { expect, test } from 'vitest';
import { createRedactor, redact } from './redact.ts';

const SECRET = 'S3cretValueXYZ';

const CASES: [string, string][] = [
  ['a key in a query', `GET /v1/profile/AAPL?apikey=${SECRET}&x=1`],
  ['a key in a query, at its end', `https://a.example/q?x=1&api_key=${SECRET}`],
  ['a token in a query', `/api/v1/calendar?token=${SECRET}`],
  ['a live key', `eds_live_${SECRET}`],
  ['a test key', `key eds_test_${SECRET}!`],
  ['a webhook secret', `whsec_${SECRET}-_${SECRET}`],
  ['a header in JSON', JSON.stringify({ Authorization: `Bearer ${SECRET}`, other: 1 })],
  ['a header in JSON in JSON', JSON.stringify({ m: JSON.stringify({ authorization: SECRET }) })],
  ['a header as a pair', JSON.stringify(['X-Api-Key', SECRET])],
  ['a header as text', `X-Api-Key: ${SECRET}\r\nHost: a`],
  ['a bearer anywhere', `sent Bearer ${SECRET} to them`],
  ['a cookie', JSON.stringify({ cookie: `session=${SECRET}; a=b` })],
  ['a field that is a password', JSON.stringify({ password: SECRET })],
  ['a password in a URL', `postgres://me:${SECRET}@db.example/afterbell`],
];

test.each(CASES)('redacts %s in text', (_, text) => {
  expect(redact(text)).not.toContain(SECRET);
});

test.each(CASES.filter(([, text]) => /^[{[]/.test(text)))(
  'leaves JSON valid after redacting %s',
  (_, text) => {
    expect(() => JSON.parse(redact(text)) as unknown).not.toThrow();
  },
);

test('leaves text around a redacted value unchanged', () => {
  expect(redact(`/v1/x?apikey=${SECRET}&symbol=AAPL`)).toBe('/v1/x?apikey=[redacted]&symbol=AAPL');
  const harmless = 'tokens: 5, https://a.example:8080/x@y, authorization is needed, basic facts';
  expect(redact(harmless)).toBe(harmless);
});

test('redacts the configured secrets anywhere in text, even when URL-encoded', () => {
  const clean = createRedactor(['pass word', 'abc']);
  expect(clean('/a/pass%20word/b pass word abc')).toBe('/a/[redacted]/b [redacted] abc');
});
