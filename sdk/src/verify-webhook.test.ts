import { expect, test } from 'vitest';
import vectors from '../../vectors/webhook-signatures.json' with { type: 'json' };
import standard from '../../vectors/standard-webhooks.json' with { type: 'json' };
import { parseDelivery, verifyWebhook } from './index.ts';

interface Vector {
  name: string;
  secret: string;
  timestamp: string;
  bodyHex: string;
  headers: { signature: string; signatureNext?: string; signaturePrevious?: string };
  now: number;
  verifies: boolean;
  reason?: string;
}
interface StandardVector {
  name: string;
  secret: string;
  id: string;
  timestamp: string;
  signature: string;
  body: string;
  now: number;
  verifies: boolean;
  reason?: string;
}
const standardCases: StandardVector[] = standard.cases;
const [STANDARD] = standardCases as [StandardVector];
const cases: Vector[] = vectors.cases;

const good = named('the exact form');
const GOOD_BODY = new Uint8Array(Buffer.from(good.bodyHex, 'hex'));

function named(name: string): Vector {
  const found = cases.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no vector ${name}`);
  return found;
}

function headersOf({ timestamp, headers, bodyHex }: Vector, brand = 'Service') {
  const { signature, signatureNext, signaturePrevious } = headers;
  const id = /"id": ?"(del_\w+)"/.exec(Buffer.from(bodyHex, 'hex').toString())?.[1] ?? 'del_none';
  return {
    [`x-${brand}-delivery-id`.toLowerCase()]: id,
    [`x-${brand}-timestamp`.toLowerCase()]: timestamp,
    [`x-${brand}-signature`.toLowerCase()]: signature,
    [`x-${brand}-signature-next`.toLowerCase()]: signatureNext,
    [`x-${brand}-signature-previous`.toLowerCase()]: signaturePrevious,
  };
}

function standardHeaders({ id, timestamp, signature }: StandardVector) {
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
}

function verify(vector: Vector, changed: Partial<Vector> = {}) {
  const given = { ...vector, ...changed };
  const body = new Uint8Array(Buffer.from(given.bodyHex, 'hex'));
  return verifyWebhook(body, headersOf(given), given.secret, { now: given.now * 1_000 });
}

test.each(cases.map((vector) => [vector.name, vector] as const))(
  'accepts or rejects a signature as the test vector expects: %s',
  async (_, vector) => {
    const verified = await verify(vector);
    expect([verified.ok, 'reason' in verified ? verified.reason : undefined]).toEqual([
      vector.verifies,
      vector.reason,
    ]);
  },
);

test('returns the delivery id and the time at which an accepted delivery was sent', async () => {
  expect(await verify(good)).toEqual({
    ok: true,
    deliveryId: parseDelivery(GOOD_BODY).id,
    sentAt: new Date(good.now * 1_000),
    isTest: false,
  });
});

test.each(standardCases.map((vector) => [vector.name, vector] as const))(
  'accepts or rejects the headers of Standard Webhooks as the test vector expects: %s',
  async (_, vector) => {
    const { secret, body, now, verifies } = vector;
    const secrets = ['whsec_b3RoZXI=', secret];
    const verified = await verifyWebhook(body, standardHeaders(vector), secrets, {
      now: now * 1_000,
    });
    expect([verified.ok, 'reason' in verified ? verified.reason : undefined]).toEqual([
      verifies,
      vector.reason,
    ]);
  },
);

test('does not accept valid Standard Webhooks headers beside an invalid signature of ours', async () => {
  const { id, timestamp, body, secret, now } = STANDARD;
  const headers = {
    ...standardHeaders(STANDARD),
    'x-service-delivery-id': id,
    'x-service-timestamp': timestamp,
    'x-service-signature': good.headers.signature,
  };
  const verified = await verifyWebhook(body, headers, secret, { now: now * 1_000 });
  expect(verified).toMatchObject({ reason: 'mismatch' });
});

test('parses a CloudEvent like a delivery in our own form', () => {
  const { body } = STANDARD;
  const { data } = JSON.parse(body) as { data: object };
  expect(parseDelivery(body)).toEqual({
    id: 'del_01hcz3k9v0a1b2c3d4e5f60718293',
    created_at: '2026-11-20T14:30:00Z',
    template_id: 'earnings_schedule',
    event_type: 'earnings_schedule.changed',
    context: { symbol: 'ACME' },
    data,
    changed_fields: ['epsEstimate'],
  });
  const unchanged = body.replace('"changedfields":"epsEstimate",', '');
  expect(parseDelivery(unchanged).changed_fields).toEqual([]);
});

test('reports a test delivery by its header', async () => {
  const headers = { ...headersOf(good), 'x-service-test': 'true' };
  const options = { now: good.now * 1_000 };
  expect(await verifyWebhook(GOOD_BODY, headers, good.secret, options)).toMatchObject({
    ok: true,
    isTest: true,
  });
});

test('accepts Fetch API headers, any form of bytes and other brands in header names', async () => {
  const options = { now: good.now * 1_000 };
  const fetched = new Headers();
  for (const [name, value] of Object.entries(headersOf(good))) {
    if (value !== undefined) fetched.set(name, value);
  }
  const buffer = new Uint8Array(GOOD_BODY).buffer;
  for (const body of [GOOD_BODY, Buffer.from(GOOD_BODY).toString('utf8'), buffer]) {
    expect(await verifyWebhook(body, fetched, good.secret, options)).toMatchObject({ ok: true });
  }
  const branded = headersOf(good, 'Quiet-Data');
  const given = { ...options, brand: 'Quiet-Data' };
  expect(await verifyWebhook(buffer, branded, good.secret, given)).toMatchObject({ ok: true });
  const other = await verifyWebhook(buffer, branded, good.secret, options);
  expect(other).toMatchObject({ reason: 'missing', detail: expect.stringContaining('brand') });
});

test('accepts a signature made with any of several secrets during a rotation', async () => {
  const options = { now: good.now * 1_000 };
  const secrets = ['whsec_not_this_one', good.secret];
  expect(await verifyWebhook(GOOD_BODY, headersOf(good), secrets, options)).toMatchObject({
    ok: true,
  });
});

test.each([
  ['a dot between timestamp and body', 'a dot between'],
  ['the body serialized again with spaces', 'serialized again'],
  ['the secret without its prefix', 'incomplete'],
  ['the secret with a line end', 'incomplete'],
  ['one bit of the body altered', 'The usual mistakes'],
  ['another secret', 'belongs to another endpoint'],
])('identifies the mistake in a signature: %s', async (name, said) => {
  expect(await verify(named(name))).toMatchObject({
    reason: 'mismatch',
    detail: expect.stringContaining(said),
  });
});

test.each([
  { toleranceSeconds: Number.NaN },
  { toleranceSeconds: Number(undefined) },
  { toleranceSeconds: -1 },
  { now: Number.NaN },
  { now: Infinity },
])(
  'does not accept a replayed delivery because of an invalid time or tolerance: %o',
  async (options) => {
    const verified = verifyWebhook(GOOD_BODY, headersOf(good), good.secret, {
      now: good.now * 1e3 + 0xe8d4a51000,
      toleranceSeconds: 300,
      ...options,
    });
    await expect(verified).rejects.toThrow(TypeError);
  },
);

test('accepts timestamps within the configured tolerance', async () => {
  const late = { now: (good.now + 20) * 1_000 };
  const verified = (toleranceSeconds: number) =>
    verifyWebhook(GOOD_BODY, headersOf(good), good.secret, { ...late, toleranceSeconds });
  expect(await verified(20)).toMatchObject({ ok: true });
  expect(await verified(19)).toMatchObject({ reason: 'too-old' });
});

test('rejects a delivery whose header id differs from the id in the signed body', async () => {
  const headers = { ...headersOf(good), 'x-service-delivery-id': 'del_another' };
  const verified = await verifyWebhook(GOOD_BODY, headers, good.secret, { now: good.now * 1_000 });
  expect(verified).toMatchObject({ reason: 'other-id' });
});

test('verifies timestamps against the system clock by default', async () => {
  const verified = await verifyWebhook(GOOD_BODY, headersOf(good), good.secret);
  expect(verified.ok).toBe(false);
});

test.each([
  ['a parsed body', { id: 'del_1' }, 'whsec_x', 'rawBody'],
  ['an empty secret', '', '', 'a webhook secret'],
  ['no secret', '', [], 'a webhook secret'],
  ['a secret that is not set', '', undefined, 'a webhook secret'],
])('throws an explanation for an invalid call: %s', async (_, body, secret, said) => {
  await expect(verifyWebhook(body as string, {}, secret as string)).rejects.toThrow(said);
});

test.each(['', '{}', '[]', 'null', '{"id":"del_1","context":null}', '{"specversion":"1.0"}'])(
  'does not parse a body that is not a delivery: %s',
  (body) => {
    expect(() => parseDelivery(body)).toThrow(TypeError);
  },
);
