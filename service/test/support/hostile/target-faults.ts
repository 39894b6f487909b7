import { type RandomInput, type RequestFactory, UNAUTHENTICATED } from './random-input.ts';

/** Percent-encoded texts, none of which is a valid symbol, date, number or keyword. */
const PERCENTS = [
  '%',
  '%4',
  '%zz',
  '%c0%ae',
  '%ff%fe',
  '%00',
  '%ed%a0%80',
  '%f4%90%80%80',
  '%e2%82',
];
const TRICKS = [
  '..',
  '%2e%2e',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '..%5c..%5cwin.ini',
  '..;',
  '.%00.',
  '%252e',
  '%2f%2f',
  '%5c',
  '~root',
  '*',
  '$(id)',
  "'%20or%201=1--",
  '%3Cscript%3E',
  '{{7*7}}',
  '%0d%0aX:1',
  '%u002e',
  '%EF%BC%8E',
  '__proto__',
  'file:',
  'A'.repeat(60),
  '%F0%9F%A6%80',
];
const LISTS = ['/v1/calendar/earnings', '/v1/calendar/economic'];

function get(draw: RandomInput, target: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${draw.key}\r\n\r\n`;
}

/** Adds an invalid date to other parameters, so that the request is always rejected. */
function withBadDay(draw: RandomInput, parameters: string): string {
  const day = `date=${draw.pick([...PERCENTS, '2026-02-30', '0000-01-01', 'now', '9'.repeat(40)])}`;
  const query = draw.int(2) === 0 ? `${day}&${parameters}` : `${parameters}&${day}`;
  return get(draw, `${draw.pick(LISTS)}?${query}`);
}

const BAD_VALUE = [
  'invalid-date',
  'invalid-parameter',
  'invalid-symbol',
  'missing-parameter',
] as const;

/** Faulty request targets. They include a valid key, since the key is checked first. */
export const targetFaults: Readonly<Record<string, RequestFactory>> = {
  'an invalid percent encoding in the symbol': (draw) => ({
    bytes: get(draw, `/v1/profile/${draw.text(draw.int(4))}${draw.pick(PERCENTS)}`),
    codes: ['invalid-symbol', 'invalid-parameter'],
  }),
  'a path trick in the symbol': (draw) => ({
    bytes: get(draw, `/v1/profile/${draw.pick(TRICKS)}${draw.int(3) === 0 ? '?a=b' : ''}`),
    codes: ['invalid-symbol', 'invalid-parameter'],
  }),
  'a path trick before the symbol': (draw) => ({
    bytes: get(
      draw,
      `/v1/${draw.pick(TRICKS)}/${draw.pick(['profile', '..', '.', ''])}/${draw.text(3)}`,
    ),
    codes: ['not-found'],
  }),
  'a path trick on a page': (draw) => ({
    bytes: get(draw, `/${draw.pick(['docs', 'errors', 'guides'])}/${draw.pick(TRICKS)}`),
    codes: ['not-found', 'invalid-parameter'],
  }),
  'a target above the limit': (draw) => ({
    bytes: get(
      draw,
      `${draw.pick(['/v1/profile/', '/v1/calendar/earnings?date=', '/', '/account/v1/keys?a='])}${'x'.repeat(2_048 + draw.int(5_000))}`,
    ),
    codes: ['uri-too-long'],
    closes: true,
  }),
  'a target above all limits': (draw) => ({
    bytes: get(draw, `${draw.pick(['/v1/profile/', '/'])}${'x'.repeat(8_300 + draw.int(60_000))}`),
    codes: ['uri-too-long', 'headers-too-large'],
    closes: true,
  }),
  'bytes that are not UTF-8': (draw) => ({
    bytes: get(draw, `/v1/profile/${draw.text(2)}\xff${draw.pick(['\xfe', '\xc0\xaf', '\x80'])}`),
    codes: ['invalid-symbol', 'invalid-parameter'],
    closes: true,
  }),
  'a huge parameter': (draw) => ({
    bytes: withBadDay(draw, `x=${'9'.repeat(draw.int(1_600))}`),
    codes: BAD_VALUE,
  }),
  'a repeated parameter': (draw) => ({
    bytes: get(
      draw,
      `${draw.pick(LISTS)}?${Array.from({ length: 2 + draw.int(60) }, () => 'date=2026-11-20').join('&')}`,
    ),
    codes: BAD_VALUE,
  }),
  'many parameters': (draw) => {
    const names = Array.from({ length: draw.int(150) }, () => `${draw.text(4)}=${draw.text(4)}`);
    return { bytes: withBadDay(draw, names.join('&')), codes: BAD_VALUE };
  },
  'parameter names of object properties': (draw) => {
    const name = draw.pick(['__proto__', 'constructor', 'date[]', 'date[$gt]', 'toString', '%00']);
    return { bytes: withBadDay(draw, `${name}=1`), codes: BAD_VALUE };
  },
  'two keys': (draw) => ({
    bytes: get(draw, `/v1/calendar/earnings?date=2026-11-20&apikey=${draw.text(30)}`),
    codes: ['invalid-parameter'],
  }),
  'an invalid key in the query': (draw) => ({
    bytes: `GET ${draw.pick(LISTS)}?apikey=${draw.pick(PERCENTS)}${draw.text(draw.int(40))} HTTP/1.1\r\nHost: a\r\n\r\n`,
    codes: UNAUTHENTICATED,
  }),
  'an unsupported media type': (draw) => ({
    bytes: `GET ${draw.pick(LISTS)}?date=2026-11-20 HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${draw.key}\r\nAccept: ${draw.pick(['image/png', 'text/html;q=1', '*/*;q=0', 'application/json;q=0'])}\r\n\r\n`,
    codes: ['not-acceptable'],
  }),
  'an absolute or invalid target': (draw) => ({
    bytes: `GET ${draw.pick(['http://a/v1/x', 'ftp://a/v1/x', 'http:///v1/x', '//a/v1/x', '*', 'a:80', '?x', '#x'])} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    codes: ['not-found', 'invalid-parameter'],
    closes: true,
  }),
};
