import {
  INVALID,
  LETTERS,
  type RandomInput,
  type RequestFactory,
  SMUGGLED,
  UNAUTHENTICATED,
} from './random-input.ts';

const READ = 'GET /v1/calendar/earnings';
const CLOSE = 'Connection: close\r\n';
const VERSIONS = [
  'HTTP/0.9',
  'HTTP/1.2',
  'HTTP/1.9',
  'HTTP/2.0',
  'HTTP/3.0',
  'HTTP/9.9',
  'HTTP/1',
  'HTTP/1.',
  'HTTP/1.10',
  'http/1.1',
  'HTTPS/1.1',
  'HTTP/1.1x',
  'HTTP /1.1',
  'HTTP/1,1',
  'HTTP/-1.1',
  'HTTP/¹.1',
  'x',
];
/** Methods that the parser supports but no path allows. */
const OTHER_METHODS = [
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'TRACE',
  'PROPFIND',
  'LOCK',
  'SEARCH',
  'M-SEARCH',
  'PURGE',
  'LINK',
  'REPORT',
  'QUERY',
  'MKCOL',
  'SUBSCRIBE',
  'SOURCE',
];
const CONTROLS = ['\x00', '\x01', '\x08', '\x0b', '\x1f', '\x7f'];
const HELLOS = [
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'SSH-2.0-OpenSSH_9.6\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'EHLO example.com\r\n',
  '\x00\x00\x00\x08\x04\xd2\x16\x2f',
  '*1\r\n$4\r\nPING\r\n',
];

function withHeader(draw: RandomInput, line: string): string {
  return `${READ} HTTP/1.1\r\nHost: a\r\n${draw.keyLine()}${line}\r\n\r\n`;
}

/** Requests with an invalid request line or header. */
export const requestLineFaults: Readonly<Record<string, RequestFactory>> = {
  'an unknown method': (draw) => {
    const method = draw.pick([draw.text(1 + draw.int(12)), 'get', 'GeT', 'GETT', 'G\x00T', 'GE T']);
    const bytes = `X${method} /v1/calendar/earnings HTTP/1.1\r\nHost: a\r\n\r\n`;
    return { bytes, codes: ['method-not-allowed', ...INVALID], closes: true };
  },
  'a method the read API does not support': (draw) => ({
    bytes: `${draw.pick(OTHER_METHODS)} /v1/calendar/earnings HTTP/1.1\r\nHost: a\r\n\r\n`,
    codes: ['method-not-allowed'],
  }),
  'a method pages do not support': (draw) => ({
    bytes: `${draw.pick(OTHER_METHODS)} ${draw.pick(['/', '/docs', '/healthz'])} HTTP/1.1\r\nHost: a\r\n${CLOSE}\r\n`,
    codes: ['method-not-allowed', 'not-found'],
    closes: true,
  }),
  'a tunnel': (draw) => ({
    bytes: `CONNECT ${draw.pick(['a:443', '127.0.0.1:22', '/v1/x'])} HTTP/1.1\r\nHost: a\r\n\r\n`,
    codes: ['method-not-allowed', ...INVALID],
    closes: true,
  }),
  'an unsupported HTTP version': (draw) => ({
    bytes: `${READ} ${draw.pick(VERSIONS)}\r\nHost: a\r\n${draw.keyLine()}\r\n`,
    codes: INVALID,
    closes: true,
  }),
  'an invalid request line': (draw) => ({
    bytes: `${draw.pick([
      `GET  /v1/x  HTTP/1.1`,
      `GET\t/v1/x\tHTTP/1.1`,
      `GET /v1/x`,
      `GET`,
      `GET HTTP/1.1`,
      `GET /v1/x HTTP/1.1 HTTP/1.1`,
      `GET v1/x y HTTP/1.1`,
      ` GET /v1/x HTTP/1.1`,
    ])}\r\nHost: a\r\n\r\n`,
    codes: ['method-not-allowed', 'not-found', ...INVALID],
    closes: true,
  }),
  'another protocol than HTTP': (draw) => ({
    bytes: `${draw.pick(HELLOS)}${draw.bytes(draw.int(60))}`,
    codes: ['method-not-allowed', ...INVALID],
    closes: true,
    halfClose: true,
  }),
  'a control character in a header': (draw) => ({
    bytes: withHeader(draw, `X-Note: a${draw.pick(CONTROLS)}b${draw.text(draw.int(9))}`),
    codes: INVALID,
    closes: true,
  }),
  'a control character in the target': (draw) => ({
    bytes: `GET /v1/profile/A${draw.pick(CONTROLS)}${draw.text(3)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    codes: INVALID,
    closes: true,
  }),
  'an invalid header name': (draw) => ({
    bytes: withHeader(draw, `${draw.pick(['X Y', '', '(x)', 'X[]', 'X\xe9', '"X"', 'X@'])}: 1`),
    codes: INVALID,
    closes: true,
  }),
  'a header without a colon': (draw) => ({
    bytes: withHeader(draw, draw.text(1 + draw.int(20))),
    codes: INVALID,
    closes: true,
  }),
  'a folded header': (draw) => ({
    bytes: withHeader(draw, `X-Note: a\r\n${draw.pick([' ', '\t', '  '])}Host: b`),
    codes: INVALID,
    closes: true,
  }),
  'a bare CR or LF': (draw) => ({
    bytes: `${READ} HTTP/1.1${draw.pick(['\n', '\r'])}Host: a\r\n\r\n${SMUGGLED}`,
    codes: INVALID,
    closes: true,
  }),
  'a bare CR or LF in the headers': (draw) => ({
    bytes: `${READ} HTTP/1.1\r\nHost: a${draw.pick(['\n', '\r'])}X: b\r\n\r\n`,
    codes: INVALID,
    closes: true,
  }),
  'no Host header': () => ({ bytes: `${READ} HTTP/1.1\r\n\r\n`, codes: INVALID, closes: true }),
  'two Host headers': (draw) => ({
    bytes: withHeader(draw, `host: ${draw.pick(['a', 'b', ''])}`),
    codes: INVALID,
    closes: true,
  }),
  'a header above the limit': (draw) => ({
    bytes: withHeader(
      draw,
      `X-Large: ${draw.pick(['a', '\xff', ','])}`.padEnd(8_300 + draw.int(20_000), 'y'),
    ),
    codes: ['headers-too-large', 'uri-too-long'],
    closes: true,
  }),
  'too many headers': (draw) => ({
    bytes: withHeader(draw, Array.from({ length: 2_100 + draw.int(900) }, () => 'a:').join('\r\n')),
    codes: ['headers-too-large'],
    closes: true,
  }),
  'an invalid key': (draw) => ({
    bytes: withHeader(
      draw,
      `X-Api-Key: ${draw.text(1 + draw.int(60), `${LETTERS}_-+/=%\xff\xe9`)}`,
    ).replace(draw.key, 'eds_live_'),
    codes: ['invalid-parameter', ...UNAUTHENTICATED],
  }),
  'an Expect header': (draw) => ({
    bytes: `${READ} HTTP/1.1\r\nHost: a\r\nExpect: ${draw.pick(['200-ok', '100-continue', 'tea'])}\r\n\r\n`,
    codes: UNAUTHENTICATED,
  }),
  'a protocol upgrade': (draw) => ({
    bytes: `${READ} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: ${draw.pick(['h2c', 'websocket', 'TLS/1.0'])}\r\n\r\n`,
    codes: UNAUTHENTICATED,
  }),
};
