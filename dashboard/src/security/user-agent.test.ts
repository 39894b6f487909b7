import { expect, test } from 'vitest';
import { browserName } from './user-agent.ts';

test('recognizes a browser whose user agent also mentions other browsers', () => {
  const edge =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0';
  const safari =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1';
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';
  expect([edge, safari, firefox].map(browserName)).toEqual([
    'Edge on Windows',
    'Safari on iPhone',
    'Firefox on Linux',
  ]);
});

test('shows other clients by their user agent, and a missing user agent as unknown', () => {
  expect([browserName('curl/8.9.1'), browserName(null)]).toEqual(['curl/8.9.1', 'Unknown client']);
});
