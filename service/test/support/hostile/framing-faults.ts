import {
  INVALID,
  type RandomInput,
  type RequestFactory,
  SMUGGLED,
  UNAUTHENTICATED,
} from './random-input.ts';

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'];
const PATHS = ['/v1/calendar/earnings', '/v1/nothing', '/', '/account/v1/keys', '/nothing/at/all'];

/** Invalid or unsupported transfer codings, spelled in ways that proxies interpret differently. */
const CODINGS = [
  'xchunked',
  'chunked, identity',
  'identity',
  'gzip',
  'chunked\v',
  'chunked, chunked',
  '"chunked"',
  'x, chunked',
  'chun ked',
  'chunked;q=1',
  'gzip, chunked',
  'CHUNKED,',
];
const LENGTHS = [
  '-1',
  '+5',
  '0x10',
  '1 2',
  '5,5',
  '5, 6',
  '99999999999999999999',
  '1.0',
  '5e0',
  'five',
  '²',
  '5;',
  "'5'",
  '--5',
  '5 \v',
];
const SIZES = ['g', '-1', '0x5', 'fffffffffffffffff', '5 5', '', ';a', '5\x00', '+5', '\xff'];

function start(draw: RandomInput, method = draw.pick(METHODS)): string {
  return `${method} ${draw.pick(PATHS)} HTTP/1.1\r\nHost: a\r\n`;
}

function chunks(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
}

/** Problem codes for unsupported methods and unauthenticated calls. */
const REJECTION_CODES = [
  ...INVALID,
  ...UNAUTHENTICATED,
  ...(['method-not-allowed', 'not-found', 'not-signed-in', 'unsupported-media-type'] as const),
  ...(['forbidden'] as const),
];

/** Requests with a wrong or ambiguous message length. */
export const framingFaults: Readonly<Record<string, RequestFactory>> = {
  'both Content-Length and Transfer-Encoding': (draw) => {
    const length = `Content-Length: ${draw.int(60)}\r\n`;
    const encoding = `Transfer-Encoding: ${draw.pick(['chunked', 'Chunked', 'gzip, chunked'])}\r\n`;
    const headers = draw.int(2) === 0 ? length + encoding : encoding + length;
    return {
      bytes: `${start(draw)}${headers}\r\n0\r\n\r\n${SMUGGLED}`,
      codes: INVALID,
      closes: true,
    };
  },
  'an invalid transfer coding': (draw) => {
    const coding = draw.pick(CODINGS);
    const body = draw.int(2) === 0 ? `0\r\n\r\n${SMUGGLED}` : chunks(SMUGGLED);
    const bytes = `${start(draw)}Transfer-Encoding: ${coding}\r\n\r\n${body}`;
    return { bytes, codes: REJECTION_CODES, closes: true };
  },
  'two transfer codings': (draw) => {
    const line = () => `Transfer-Encoding: ${draw.pick(CODINGS)}\r\n`;
    const bytes = `${start(draw)}${line()}${draw.int(2) === 0 ? line() : 'Transfer-Encoding: chunked\r\n'}\r\n${chunks(SMUGGLED)}`;
    return { bytes, codes: REJECTION_CODES, closes: true };
  },
  'an invalid Content-Length': (draw) => {
    const bytes = `${start(draw)}Content-Length: ${draw.pick(LENGTHS)}\r\n\r\n${SMUGGLED}`;
    return { bytes, codes: INVALID, closes: true };
  },
  'two Content-Length headers': (draw) => {
    const [first, second] = [draw.int(40), draw.int(40)];
    const lengths = `Content-Length: ${first}\r\nContent-Length: ${second}\r\n`;
    return { bytes: `${start(draw)}${lengths}\r\n${SMUGGLED}`, codes: INVALID, closes: true };
  },
  'a space before the colon': (draw) => {
    const name = draw.pick(['Content-Length', 'Transfer-Encoding', 'Host', 'X']);
    const bytes = `${start(draw)}${name} : ${draw.pick(['chunked', '5', 'a'])}\r\n\r\n${SMUGGLED}`;
    return { bytes, codes: INVALID, closes: true };
  },
  'a body on a GET request': (draw) => {
    const body = draw.int(2) === 0 ? SMUGGLED : draw.bytes(1 + draw.int(200));
    const isChunked = draw.int(2) === 0;
    const head = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
    const text = isChunked ? chunks(body) : body;
    const bytes = `${start(draw, 'GET')}${draw.keyLine()}${head}\r\n\r\n${text}`;
    return { bytes, codes: REJECTION_CODES, closes: true };
  },
  'a body before the next request': (draw) => {
    const body = draw.int(2) === 0 ? SMUGGLED : draw.bytes(1 + draw.int(200));
    const method = draw.pick(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE']);
    const head = `${method} /v1/calendar/earnings HTTP/1.1\r\nHost: a\r\n`;
    return {
      bytes: `${head}Content-Length: ${body.length}\r\n\r\n${body}`,
      codes: ['method-not-allowed', 'invalid-parameter'],
      closes: true,
    };
  },
  'an invalid chunk size': (draw) => {
    const size = draw.pick(SIZES);
    const bytes = `${start(draw)}Transfer-Encoding: chunked\r\n\r\n${size}\r\n${SMUGGLED}`;
    return { bytes, codes: REJECTION_CODES, closes: true };
  },
  'a chunk with a wrong size': (draw) => {
    const size = (SMUGGLED.length + draw.pick([-9, -1, 1, 7])).toString(16);
    const bytes = `${start(draw)}Transfer-Encoding: chunked\r\n\r\n${size}\r\n${SMUGGLED}0\r\n\r\n`;
    return { bytes, codes: REJECTION_CODES, closes: true, halfClose: true };
  },
  'Content-Length in the trailers': (draw) => {
    const trailers = `Content-Length: ${draw.int(99)}\r\nTransfer-Encoding: chunked\r\n`;
    const bytes = `${start(draw)}Transfer-Encoding: chunked\r\n\r\n0\r\n${trailers}\r\n`;
    return { bytes, codes: REJECTION_CODES, closes: true };
  },
  'a truncated body': (draw) => {
    const bytes = `${start(draw)}Content-Length: ${100 + draw.int(9_999)}\r\n\r\n${SMUGGLED}`;
    return { bytes, codes: REJECTION_CODES, closes: true, halfClose: true };
  },
  'truncated headers': (draw) => {
    const headers = `${start(draw)}X-One: ${draw.text(9)}\r\nX-Two: ${draw.text(9)}\r\n`;
    const bytes = headers.slice(0, 1 + draw.int(headers.length));
    return { bytes, codes: INVALID, closes: true, halfClose: true };
  },
};
