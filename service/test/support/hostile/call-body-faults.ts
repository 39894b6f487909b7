import { type RandomInput, type RequestFactory, UNAUTHENTICATED } from './random-input.ts';

const REJECTION_CODES = [
  ...UNAUTHENTICATED,
  ...(['invalid-parameter', 'missing-parameter', 'not-signed-in', 'forbidden'] as const),
  ...(['not-found', 'insufficient-scope', 'method-not-allowed', 'too-many-attempts'] as const),
];

function post(draw: RandomInput, body: string, type = 'application/json'): string {
  const path = draw.pick(['/account/v1/sign-in', '/account/v1/keys', '/operator/v1/customers']);
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nOrigin: http://a\r\n`;
  return `${head}Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** Account calls with faulty bodies. */
export const callBodyFaults: Readonly<Record<string, RequestFactory>> = {
  'a body that is not JSON': (draw) => ({
    bytes: post(
      draw,
      draw.pick(['{', '{"a":}', '\x00', '', '[1,]', 'NaN', '{"email":"\xff"']) +
        draw.bytes(draw.int(40)),
    ),
    codes: REJECTION_CODES,
  }),
  'JSON that is not a valid call': (draw) => ({
    bytes: post(
      draw,
      draw.pick([
        'null',
        '[]',
        '1',
        '{"__proto__":{"role":"operator"}}',
        '{"constructor":{}}',
        '{"email":{"$gt":""}}',
      ]),
    ),
    codes: REJECTION_CODES,
  }),
  'deeply nested JSON': (draw) => {
    const depth = 1_000 + draw.int(20_000);
    return { bytes: post(draw, '['.repeat(depth) + ']'.repeat(depth)), codes: REJECTION_CODES };
  },
  'another media type': (draw) => ({
    bytes: post(
      draw,
      'a=b',
      draw.pick(['text/plain', 'application/xml', 'multipart/form-data', ';;', 'x']),
    ),
    codes: [...REJECTION_CODES, 'unsupported-media-type'],
  }),
  'a body above the limit': (draw) => ({
    bytes: post(draw, `"${'a'.repeat(262_200 + draw.int(9_000))}"`),
    codes: [...REJECTION_CODES, 'body-too-large'],
    closes: true,
  }),
};
