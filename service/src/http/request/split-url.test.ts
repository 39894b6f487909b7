import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitQuery } from './query-string.ts';
import { splitUrl } from './split-url.ts';

test.each([
  ['/v1/x?apikey=K', '/v1/x', 'K'],
  ['/v1/x?apikey=K&date=today', '/v1/x?date=today', 'K'],
  ['/v1/x?date=today&apikey=K', '/v1/x?date=today', 'K'],
  ['/v1/x?a=1&apikey=K&b=2', '/v1/x?a=1&b=2', 'K'],
  ['/v1/x?a=1', '/v1/x?a=1', null],
  ['/v1/x', '/v1/x', null],
  ['/v1/x?apikey=', '/v1/x?apikey=', null],
  ['/v1/x?apikey=a%20b', '/v1/x?apikey=a%20b', null],
  ['/v1/x?myapikey=K', '/v1/x?myapikey=K', null],
  ['/v1/apikey=K', '/v1/apikey=K', null],
  ['/v1/x&apikey=K', '/v1/x&apikey=K', null],
  ['/v1/x&apikey=K?a=1', '/v1/x&apikey=K?a=1', null],
])('splits the URL %s into %s and the API key %s', (url, urlWithoutKey, key) => {
  expect(splitUrl(url)).toEqual({ urlWithoutKey, key });
});

test('preserves the query when the API key is cut out and put back', () => {
  const pair = fc.tuple(
    fc.constantFrom('a', 'apikey', 'apikeyx', 'xapikey', 'b'),
    fc.constantFrom('', '1', 'K', 'a%20b', 'apikey', '?', 'x+y'),
  );
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 6 }), (pairs) => {
      const query = pairs.map(([name, value]) => `${name}=${value}`).join('&');
      const { urlWithoutKey: rest, key } = splitUrl(`/v1/x?${query}`);
      const back = splitQuery(rest.slice('/v1/x?'.length));
      if (key !== null) back.push({ name: 'apikey', value: key });
      const sorted = (list: { name: string; value: string | null }[]) =>
        list.map(({ name, value }) => `${name}=${value}`).sort();
      expect(sorted(back)).toEqual(sorted(splitQuery(query)));
    }),
  );
});
