import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import vectors from '../../../../vectors/webhook-signatures.json' with { type: 'json' };
import { deliveryHeaders, brandForHeaders } from './delivery-headers.ts';
import { formatTimestamp, sign, signStandard } from './signature.ts';

interface Vector {
  name: string;
  secret: string;
  timestamp: string;
  bodyHex: string;
  headers: Record<string, string | undefined>;
  now: number;
  verifies: boolean;
  reason?: string;
}
/** Secrets in the form of Standard Webhooks, base64 with all of its special characters. */
const SECRETS = [
  'whsec_+/+/bm90LWEtc2VjcmV0LWJ1dC1vZi10aGUtdGVzdHM=',
  'whsec_dGhlLW5leHQtc2VjcmV0LW9mLXRoZS10ZXN0cyEhIQ==',
  'whsec_dGhlLXByZXZpb3VzLXNlY3JldC1vZi10aGUtdGVzdA==',
] as const;
const NO_ROTATION = { current: SECRETS[0], next: null, previous: null };
const cases: Vector[] = vectors.cases;

const python = programOf('python3');
const openssl = programOf('openssl');

/**
 * Wraps a command-line program that is required in CI. Elsewhere, its tests are skipped if the
 * program is missing.
 */
function programOf(name: string): {
  missing: boolean;
  run(args: string[], input?: Buffer): string;
} {
  const isMissing = spawnSync(name, ['--help']).error !== undefined;
  return {
    missing: isMissing && (process.env['CI'] ?? '') === '',
    run(args, input) {
      const { status, stdout, stderr, error } = spawnSync(name, args, { input });
      if (status !== 0) throw new Error(`${name}: ${error?.message ?? stderr.toString()}`);
      return stdout.toString();
    },
  };
}

/**
 * Returns true if the vector contains a valid signature for this secret, even if its timestamp is
 * out of range.
 */
function isSigned({ reason, verifies }: Vector): boolean {
  return verifies || reason === 'too-old' || reason === 'in-the-future';
}

function digestsIn({ headers }: Vector): string[] {
  return Object.values(headers).map((value = '') => value.toLowerCase());
}

test.each(cases.map((vector) => [vector.name, vector] as const))(
  'produces the signature specified by the test vector: %s',
  (_, vector) => {
    const { timestamp, bodyHex, secret } = vector;
    const signature = sign({ timestamp, body: Buffer.from(bodyHex, 'hex') }, secret);
    expect(signature).toMatch(/^sha256=[0-9a-f]{64}$/);
    const isWellFormed = vector.reason !== 'malformed' && vector.reason !== 'missing';
    if (isWellFormed) expect(digestsIn(vector).includes(signature)).toBe(isSigned(vector));
  },
);

test.skipIf(python.missing)('agrees with Python on the signature of every test vector', () => {
  const script = new URL('../../../test/support/check_signatures.py', import.meta.url);
  const file = new URL('../../../../vectors/webhook-signatures.json', import.meta.url);
  const lines = python
    .run([fileURLToPath(script), fileURLToPath(file)])
    .trim()
    .split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
    cases.map(({ name, verifies }) => [name, verifies]),
  );
});

test.skipIf(openssl.missing)('agrees with openssl on the signature of every test vector', () => {
  for (const vector of cases.filter(({ headers }) => headers['signature'] !== '')) {
    const key = Buffer.from(vector.secret).toString('hex');
    const signed = Buffer.concat([
      Buffer.from(vector.timestamp),
      Buffer.from(vector.bodyHex, 'hex'),
    ]);
    const args = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key}`, '-r'];
    const digest = /^[0-9a-f]{64}/.exec(openssl.run(args, signed))?.[0];
    const found = [vector.name, digestsIn(vector).includes(`sha256=${digest}`)];
    if (vector.reason !== 'malformed') expect(found).toEqual([vector.name, isSigned(vector)]);
  }
});

test('sends one signature normally, and two during a secret rotation', () => {
  const sent = (secrets: { next?: string; previous?: string }) =>
    deliveryHeaders({
      brand: 'Service',
      deliveryId: 'del_1',
      now: 1795185000999,
      body: '{}',
      secrets: {
        current: 'whsec_a',
        next: null,
        previous: null,
        ...secrets,
      },
    });
  const signed = (secret: string) => sign({ timestamp: '1795185000', body: '{}' }, secret);
  const always = [
    ['Content-Type', 'application/json'],
    ['User-Agent', 'Service-Webhooks/1.0'],
    ['X-Service-Delivery-Id', 'del_1'],
    ['X-Service-Timestamp', '1795185000'],
    ['X-Service-Signature', signed('whsec_a')],
  ];
  expect(sent({})).toEqual(always);
  expect(sent({ next: 'whsec_b' })).toEqual([
    ...always,
    ['X-Service-Signature-Next', signed('whsec_b')],
  ]);
  expect(sent({ previous: 'whsec_0' })).toEqual([
    ...always,
    ['X-Service-Signature-Previous', signed('whsec_0')],
  ]);
});

test('adds the Standard Webhooks headers, whose one signature header has all signatures', () => {
  const secrets = { current: SECRETS[0], next: SECRETS[1], previous: SECRETS[2] };
  const options = {
    brand: 'Service',
    deliveryId: 'del_1',
    now: 1795185000999,
    body: '{}',
    secrets,
  };
  const headers = new Map(deliveryHeaders({ ...options, standardWebhooks: true }));
  expect([headers.get('webhook-id'), headers.get('webhook-timestamp')]).toEqual([
    'del_1',
    '1795185000',
  ]);
  const content = { id: 'del_1', timestamp: '1795185000', body: '{}' };
  const signatures = SECRETS.map((secret) => signStandard(content, secret)).join(' ');
  expect(headers.get('webhook-signature')).toBe(signatures);
  // The other headers are the same as without them.
  const names = deliveryHeaders(options).map(([name]) => name);
  expect([...headers.keys()].slice(0, names.length)).toEqual(names);
});

test('announces a CloudEvent in the content type, and marks a test delivery', () => {
  const options = { brand: 'Acme', deliveryId: 'del_1', now: 0, body: '{}', secrets: NO_ROTATION };
  const headers = deliveryHeaders({ ...options, payloadFormat: 'cloudevents', isTest: true });
  expect(headers[0]).toEqual(['Content-Type', 'application/cloudevents+json']);
  expect(headers.at(-1)).toEqual(['X-Acme-Test', 'true']);
  expect(deliveryHeaders(options).map(([name]) => name)).not.toContain('X-Acme-Test');
});

test('rounds the signature timestamp down to whole seconds', () => {
  expect([0, 999, 1_000, 1_795_185_000_999].map(formatTimestamp)).toEqual([
    '0',
    '0',
    '1',
    '1795185000',
  ]);
});

test.each([
  [null, 'Service'],
  ['Acme', 'Acme'],
  ['Quiet Data', 'Quiet-Data'],
  ['Zoë & Co.\r\nX-Evil: 1', 'Zoe-Co-X-Evil-1'],
  ['東京', 'Service'],
])('turns the brand %j into %s in header names', (setting, expected) => {
  expect(brandForHeaders(setting)).toBe(expected);
});
