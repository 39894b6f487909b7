import { expect, test } from 'vitest';
import { forbiddenUrls } from '../../../test/support/forbidden-urls.ts';
import { devAllow, NO_DEV_ALLOW } from './dev-allow.ts';
import { checkWebhookUrl, mayConnect } from './url-rules.ts';

const strict = { ports: [443], devAllow: NO_DEV_ALLOW };

test('tests at least 400 distinct URLs that disguise a forbidden address', () => {
  const urls = forbiddenUrls(443);
  expect(urls.length).toBeGreaterThan(400);
  expect(new Set(urls).size).toBe(urls.length);
});

test.each(forbiddenUrls(443))('rejects the forbidden URL %j', (url) => {
  const verdict = checkWebhookUrl(url, strict);
  expect(verdict.ok).toBe(false);
  // The message must not disclose anything about the network.
  expect(verdict.ok || verdict.problem.startsWith('must ')).toBe(true);
});

test.each([
  ['https://hooks.example.com', 'https://hooks.example.com/'],
  ['https://hooks.example.com/', 'https://hooks.example.com/'],
  ['HTTPS://Hooks.Example.COM:443/A', 'https://hooks.example.com/A'],
  ['https://hooks.example.com:0443/', 'https://hooks.example.com/'],
  ['https://hooks.example.com/a/../b?c=d', 'https://hooks.example.com/b?c=d'],
  ['https://hooks.example.com/?to=a@b', 'https://hooks.example.com/?to=a@b'],
  ['https://hooks.example.com/@a', 'https://hooks.example.com/@a'],
  ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
  ['https://xn--mnchen-3ya.example/', 'https://xn--mnchen-3ya.example/'],
  ['https://hooks。example。com/', 'https://hooks.example.com/'],
  ['https://127.0.0.1.example.com/', 'https://127.0.0.1.example.com/'],
  ['https://localhost.example.com/', 'https://localhost.example.com/'],
  ['https://my.notlocal/', 'https://my.notlocal/'],
  ['https://1password.example/', 'https://1password.example/'],
])('normalizes the URL %s to %s', (text, url) => {
  expect(checkWebhookUrl(text, strict)).toMatchObject({
    ok: true,
    url,
    protocol: 'https:',
    port: 443,
    isDev: false,
  });
});

test('accepts URLs of up to 2,048 characters, both as entered and as normalized', () => {
  const start = 'https://hooks.example.com/';
  const longest = start + 'a'.repeat(2048 - start.length);
  expect(checkWebhookUrl(longest, strict).ok).toBe(true);
  expect(checkWebhookUrl(`${longest}a`, strict).ok).toBe(false);
  expect(checkWebhookUrl(start + 'é'.repeat(500), strict).ok).toBe(false);
});

test('lets the operator open additional ports on public addresses only', () => {
  const rules = { ports: [443, 8443], devAllow: NO_DEV_ALLOW };
  expect(checkWebhookUrl('https://hooks.example.com:8443/', rules)).toMatchObject({ port: 8443 });
  expect(checkWebhookUrl('https://hooks.example.com:8444/', rules).ok).toBe(false);
  expect(mayConnect('8.8.8.8', 8443, rules)).toBe(true);
  expect(mayConnect('127.0.0.1', 8443, rules)).toBe(false);
  expect(mayConnect('8.8.8.8', 8444, rules)).toBe(false);
});

const dev = {
  ports: [443],
  devAllow: devAllow(['127.0.0.0/8:3000', '[::1]:3000', '10.1.0.0/16:8443', 'fd00::/8:3000']),
};

test.each([
  'http://127.0.0.1:3000/',
  'https://127.0.0.1:3000/',
  'http://127.9.9.9:3000/',
  'http://2130706433:3000/',
  'http://[::1]:3000/',
  'http://localhost:3000/',
  'https://localhost:3000/',
  'https://10.1.2.3:8443/',
  'https://hooks.example.com:3000/',
])('accepts %s under the development exceptions and marks it as a development URL', (url) => {
  expect(checkWebhookUrl(url, dev)).toMatchObject({ ok: true, isDev: true });
});

test.each([
  'http://127.0.0.1:3001/',
  'http://127.0.0.1/',
  'http://10.1.2.3:8443/',
  'http://hooks.example.com:3000/',
  'https://10.2.0.0:8443/',
  'https://169.254.169.254:3000/',
  'https://[fd00:ec2::254]:3000/',
  'https://a.localhost:3000/',
  'https://localhost:8443/',
  'https://[::ffff:127.0.0.1]:3000/',
  'https://hooks.example.com:3001/',
])('rejects URLs that the development exceptions do not cover: %s', (url) => {
  expect(checkWebhookUrl(url, dev).ok).toBe(false);
});

test('blocks a port on public addresses that is allowed only for development', () => {
  expect(mayConnect('127.0.0.1', 3000, dev)).toBe(true);
  expect(mayConnect('8.8.8.8', 3000, dev)).toBe(false);
  expect(mayConnect('8.8.8.8', 443, dev)).toBe(true);
});

test('blocks metadata addresses even if they are allowed for development', () => {
  const wide = { ports: [443], devAllow: devAllow(['fc00::/7:443', '10.0.0.0/8:443']) };
  expect(mayConnect('fd00::1', 443, wide)).toBe(true);
  expect(mayConnect('fd00:ec2::254', 443, wide)).toBe(false);
  expect(mayConnect('fd20:ce::254', 443, wide)).toBe(false);
});

test.each(['db.lan', 'intranet.corp', 'kubernetes.default.svc', 'a.home', 'x.intranet'])(
  'rejects %s, which only resolvers of private networks know',
  (host) => {
    expect(checkWebhookUrl(`https://${host}/`, strict)).toEqual({
      ok: false,
      problem: 'must have a public name',
    });
  },
);
