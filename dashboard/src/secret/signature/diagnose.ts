import { hmacHex } from './hmac.ts';

/** The parts of a rejected delivery that the user pasted. */
export interface Pasted {
  body: string;
  timestamp: string;
  signature: string;
  secret: string;
}

export type Finding =
  | { kind: 'matches' }
  /** The hexadecimal digits match. Only the `sha256=` prefix is wrong. */
  | { kind: 'prefix'; isMissing: boolean }
  | { kind: 'separator' }
  | { kind: 'reserialized' }
  /** Only the line endings differ, for example because an editor added a trailing newline. */
  | { kind: 'line-end' }
  | { kind: 'secret-not-whole' }
  | { kind: 'body-alone' }
  | { kind: 'no-signature' }
  /** None of the common mistakes, so the secret or the body must be different. */
  | { kind: 'differs'; expected: string };

const PREFIX = 'sha256=';

/**
 * Checks whether the signature covers the timestamp directly followed by the body. If not, checks
 * for each common mistake. Requires Web Crypto, which browsers offer only over HTTPS and on
 * localhost.
 */
export async function diagnose(pasted: Pasted): Promise<Finding> {
  const { body, secret } = pasted;
  const timestamp = pasted.timestamp.trim();
  const signature = pasted.signature.trim();
  const digits = signature.replace(/^(?:sha256=)+/i, '').toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(digits)) return { kind: 'no-signature' };
  const right = await hmacHex(secret, timestamp + body);
  if (right === digits) {
    if (signature.toLowerCase() === `${PREFIX}${digits}`) return { kind: 'matches' };
    return { kind: 'prefix', isMissing: signature.length === digits.length };
  }
  const matches = async (text: string, key = secret): Promise<boolean> =>
    (await hmacHex(key, text)) === digits;
  if (await matches(`${timestamp}.${body}`)) return { kind: 'separator' };
  for (const variant of lineEndingVariants(body)) {
    if (await matches(timestamp + variant)) return { kind: 'line-end' };
  }
  for (const variant of serializationVariants(body)) {
    if (await matches(timestamp + variant)) return { kind: 'reserialized' };
    if (await matches(`${timestamp}.${variant}`)) return { kind: 'separator' };
  }
  for (const variant of [secret.trim(), `whsec_${secret.trim()}`, secret.replace(/^whsec_/, '')]) {
    if (variant !== secret && variant !== '' && (await matches(timestamp + body, variant))) {
      return { kind: 'secret-not-whole' };
    }
  }
  if (await matches(body)) return { kind: 'body-alone' };
  return { kind: 'differs', expected: `${PREFIX}${right}` };
}

/**
 * Returns the same JSON in other serializations: compact, indented, and in the style of Python's
 * `json`.
 */
function serializationVariants(body: string): string[] {
  try {
    const parsed: unknown = JSON.parse(body);
    const spaced = pythonSpacing(JSON.stringify(parsed));
    const variants = [JSON.stringify(parsed), JSON.stringify(parsed, null, 2), spaced];
    return [...new Set(variants)].filter((variant) => variant !== body);
  } catch {
    return [];
  }
}

/** Adds a space after every comma and colon outside of strings. */
function pythonSpacing(compact: string): string {
  return compact.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (part) =>
    part === ',' || part === ':' ? `${part} ` : part,
  );
}

function lineEndingVariants(body: string): string[] {
  const trimmed = body.replace(/[\r\n]+$/, '');
  const variants = [trimmed, `${trimmed}\n`, body.replaceAll('\n', '\r\n')];
  return [...new Set(variants)].filter((variant) => variant !== body);
}
