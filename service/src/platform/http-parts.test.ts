import { describe, expect, it } from 'vitest';
import { isAllowedUrl } from './http-hosts.ts';
import { retryAfter } from './retry-after.ts';
import { scrubUrl } from './scrub-url.ts';

describe('scrubUrl', () => {
  it.each([
    ['https://a.example/x?token=s3cret&b=1', 'https://a.example/x?token=REDACTED&b=1'],
    [
      'https://a.example/x?b=1&Token=s&token=t',
      'https://a.example/x?b=1&Token=REDACTED&token=REDACTED',
    ],
    ['https://user:pw@a.example/x#frag', 'https://a.example/x'],
    ['https://a.example/x?b=1', 'https://a.example/x?b=1'],
    ['sandbox://market/x?at=1', 'sandbox://market/x?at=1'],
    ['not a url with token=s3cret', 'REDACTED'],
  ])('removes secrets from the URL %s', (url, scrubbed) => {
    expect(scrubUrl(url, ['token'])).toBe(scrubbed);
  });
});

describe('retryAfter', () => {
  const now = Date.UTC(2026, 10, 20, 15);
  it.each([
    ['0', now],
    [' 90 ', now + 90_000],
    ['Fri, 20 Nov 2026 15:01:00 GMT', now + 60_000],
    ['Fri, 20 Nov 2026 14:00:00 GMT', now],
    ['Friday, 20-Nov-26 15:01:00 GMT', now + 60_000],
    ['Fri Nov 20 15:01:00 2026', now + 60_000],
    ['864000', now + 86_400_000],
    [undefined, null],
    ['', null],
    ['soon', null],
    ['-5', null],
    ['1.5', null],
    ['2026', now + 2_026_000],
  ])('parses the Retry-After header %s', (header, at) => {
    expect(retryAfter(header, now)).toBe(at);
  });

  it.each(['Asia/Tokyo', 'America/New_York'])(
    'parses Retry-After dates as GMT on a machine whose time zone is %s',
    (zone) => {
      const before = process.env['TZ'];
      process.env['TZ'] = zone;
      try {
        expect(retryAfter('Fri Nov 20 15:01:00 2026', now)).toBe(now + 60_000);
      } finally {
        if (before === undefined) delete process.env['TZ'];
        else process.env['TZ'] = before;
      }
    },
  );
});

describe('isAllowedUrl', () => {
  const hosts = ['data.example', 'http://127.0.0.1:8080'];
  it.each([
    ['https://data.example/x', true],
    ['https://DATA.example:443/x', true],
    ['http://127.0.0.1:8080/x', true],
    ['http://data.example/x', false],
    ['https://data.example:8443/x', false],
    ['https://user@data.example/x', false],
    ['https://sub.data.example/x', false],
    ['https://data.example.evil.example/x', false],
    ['https://127.0.0.1:8080/x', false],
    ['http://127.0.0.1:8081/x', false],
    ['http://127.0.0.1/x', false],
    ['ftp://data.example/x', false],
    ['file:///data.example', false],
  ])('checks whether requests to %s are allowed: %s', (url, allowed) => {
    expect(isAllowedUrl(new URL(url), hosts)).toBe(allowed);
  });
});
