import { describe, expect, test } from 'vitest';
import vectors from '../../../../vectors/webhook-signatures.json' with { type: 'json' };
import { diagnose, type Pasted } from './diagnose.ts';
import { hmacHex } from './hmac.ts';

interface Vector {
  name: string;
  secret: string;
  timestamp: string;
  bodyHex: string;
  headers: { signature: string };
}

function pasted(name: string): Pasted {
  const vector = (vectors.cases as Vector[]).find((candidate) => candidate.name === name);
  if (vector === undefined) throw new Error(`no vector ${name}`);
  const { secret, timestamp, headers, bodyHex } = vector;
  const body = Buffer.from(bodyHex, 'hex').toString();
  return { secret, timestamp, body, signature: headers.signature };
}

describe('signature diagnosis', () => {
  const good = pasted('the exact form');

  test('accepts a valid signature, even if it has surrounding whitespace', async () => {
    expect(await diagnose(good)).toEqual({ kind: 'matches' });
    const loose = { signature: ` ${good.signature}\n`, timestamp: `${good.timestamp} ` };
    expect(await diagnose({ ...good, ...loose })).toEqual({ kind: 'matches' });
  });

  test.each([
    ['a dot between timestamp and body', 'separator'],
    ['the body serialized again with spaces', 'reserialized'],
    ['the secret without its prefix', 'secret-not-whole'],
    ['the secret with a line end', 'secret-not-whole'],
    ['the body alone', 'body-alone'],
    ['a signature cut short', 'no-signature'],
    ['an empty signature', 'no-signature'],
    ['another secret', 'differs'],
    ['one bit of the body altered', 'differs'],
  ])('identifies the mistake in a signature: %s', async (name, kind) => {
    expect(await diagnose(pasted(name))).toMatchObject({ kind });
  });

  test('identifies a signature with a missing or repeated prefix', async () => {
    const missing = pasted('the signature without its prefix');
    expect(await diagnose(missing)).toEqual({ kind: 'prefix', isMissing: true });
    const twice = { ...good, signature: `sha256=${good.signature}` };
    expect(await diagnose(twice)).toEqual({ kind: 'prefix', isMissing: false });
  });

  test('identifies a body that was reserialized before signing', async () => {
    const parsed: unknown = JSON.parse(good.body);
    const texts = [JSON.stringify(parsed, null, 2), '{"a": 1, "b": ":,"}'];
    for (const signed of texts) {
      const signature = `sha256=${await hmacHex(good.secret, good.timestamp + signed)}`;
      const body = JSON.stringify(JSON.parse(signed));
      expect(await diagnose({ ...good, body, signature })).toEqual({ kind: 'reserialized' });
    }
  });

  test('identifies a trailing newline that an editor added to the body', async () => {
    expect(await diagnose({ ...good, body: `${good.body}\n` })).toEqual({ kind: 'line-end' });
    const text = await diagnose({
      ...good,
      body: 'no json\n',
      signature: `sha256=${await hmacHex(good.secret, `${good.timestamp}no json`)}`,
    });
    expect(text).toEqual({ kind: 'line-end' });
  });

  test('returns the expected signature if the secret or body differs', async () => {
    const finding = await diagnose({ ...good, signature: `sha256=${'0'.repeat(64)}` });
    expect(finding).toEqual({ kind: 'differs', expected: good.signature });
  });
});
