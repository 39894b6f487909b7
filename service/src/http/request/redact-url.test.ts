import { expect, test } from 'vitest';
import { stubWorld } from '../../../test/support/stub-endpoints.ts';
import { redactedUrl } from './redact-url.ts';

const KEY = 'eds_live_0123456789abcdefghijABCDEFGHIJ01234567';
const endpoint = stubWorld().endpoints[1];
if (endpoint === undefined) throw new Error('no endpoint');
const redact = (rest: string) => redactedUrl({ urlWithoutKey: rest, endpoint });

test.each(['/v1/a', '/v1/a?date=never&x=1', '/v1/a?date=%zz&date=2&&', '/v1/a?x=%E0%A4&y'])(
  'keeps the URL %s as received',
  (rest) => {
    expect(redact(rest)).toBe(rest.replace(/&+$/, ''));
  },
);

test.each([
  `apikey=${KEY}`,
  `APIKEY=${KEY}`,
  `ApiKey=not-even-a-key`,
  `%61pikey=${KEY}`,
  `%41PIKE%59=not-even-a-key`,
  `%2561pik%252565y=not-even-a-key`,
  `apikey%3Dnot-even-a-key`,
  `x=1;apikey=not-even-a-key`,
  `x=${encodeURIComponent(`https://data.example/?apikey=not-even-a-key`)}`,
  `apikey=%zz-not-even-a-key`,
  `date=eds%5Flive_${KEY.slice(9)}`,
  `date=eds_live_%30${KEY.slice(10)}`,
  `date=eds%255Flive%255F${KEY.slice(9)}`,
])('omits %s from the query of a logged URL', (pair) => {
  expect(redact(`/v1/a?${pair}`)).toBe('/v1/a');
  expect(redact(`/v1/a?date=never&${pair}&x=1`)).toBe('/v1/a?date=never&x=1');
});

test.each([
  [`/v1/a?date=${KEY}`, '/v1/a?date=eds_…'],
  [`/v1/a?${KEY}=1&y=${KEY.toUpperCase()}`, '/v1/a?eds_…=1&y=eds_…'],
  [`/v1/profile-stub/${KEY}?x=1`, '/v1/profile-stub/eds_…?x=1'],
  [`/v1/profile-stub/eds%5Flive_${KEY.slice(9)}?x=1`, '/v1/profile-stub/{symbol}?x=1'],
  ['/v1/profile-stub/A%3Fapikey=not-even-a-key', '/v1/profile-stub/{symbol}'],
])('hides an API key elsewhere in the URL %s', (rest, expected) => {
  expect(redact(rest)).toBe(expected);
});
