import { hmacHex } from './hmac.ts';

/** The pasted parts of a rejected delivery. */
export interface Pasted {
  body: string;
  timestamp: string;
  signature: string;
  secret: string;
}

export type Finding =
  | { kind: 'matches' }
  /** The digits match; only the `sha256=` prefix is wrong. */
  | { kind: 'prefix'; isMissing: boolean }
  | { kind: 'separator' }
  | { kind: 'reserialised' }
  /** The line endings differ, for example a trailing newline added by an editor. */
  | { kind: 'line-end' }
  | { kind: 'secret-not-whole' }
  | { kind: 'body-alone' }
  | { kind: 'no-signature' }
  /** No common mistake: another secret or another body. */
  | { kind: 'differs'; expected: string };

const PREFIX = 'sha256=';

/**
 * Checks whether the signature covers the timestamp directly followed by the body. If not, tries
 * each common mistake. Needs Web Crypto, which browsers offer only over HTTPS and on localhost.
 */
export async function diagnose(pasted: Pasted): Promise<Finding> {
  const { body, secret } = pasted;
  const timestamp = pasted.timestamp.trim();
  const given = pasted.signature.trim();
  const digits = given.replace(/^(?:sha256=)+/i, '').toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(digits)) return { kind: 'no-signature' };
  const right = await hmacHex(secret, timestamp + body);
  if (right === digits) {
    if (given.toLowerCase() === `${PREFIX}${digits}`) return { kind: 'matches' };
    return { kind: 'prefix', isMissing: given.length === digits.length };
  }
  const isMadeOf = async (text: string, key = secret): Promise<boolean> =>
    (await hmacHex(key, text)) === digits;
  if (await isMadeOf(`${timestamp}.${body}`)) return { kind: 'separator' };
  for (const other of lineEndsOtherwise(body)) {
    if (await isMadeOf(timestamp + other)) return { kind: 'line-end' };
  }
  for (const other of serialisedOtherwise(body)) {
    if (await isMadeOf(timestamp + other)) return { kind: 'reserialised' };
    if (await isMadeOf(`${timestamp}.${other}`)) return { kind: 'separator' };
  }
  for (const whole of [secret.trim(), `whsec_${secret.trim()}`, secret.replace(/^whsec_/, '')]) {
    if (whole !== secret && whole !== '' && (await isMadeOf(timestamp + body, whole))) {
      return { kind: 'secret-not-whole' };
    }
  }
  if (await isMadeOf(body)) return { kind: 'body-alone' };
  return { kind: 'differs', expected: `${PREFIX}${right}` };
}

/**
 * The same JSON in other serializations: compact, indented, and in the style of Python's `json`.
 */
function serialisedOtherwise(body: string): string[] {
  try {
    const parsed: unknown = JSON.parse(body);
    const spaced = spacedLikePython(JSON.stringify(parsed));
    const shapes = [JSON.stringify(parsed), JSON.stringify(parsed, null, 2), spaced];
    return [...new Set(shapes)].filter((shape) => shape !== body);
  } catch {
    return [];
  }
}

/** Adds a space after every comma and colon outside strings. */
function spacedLikePython(compact: string): string {
  return compact.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (part) =>
    part === ',' || part === ':' ? `${part} ` : part,
  );
}

function lineEndsOtherwise(body: string): string[] {
  const trimmed = body.replace(/[\r\n]+$/, '');
  const shapes = [trimmed, `${trimmed}\n`, body.replaceAll('\n', '\r\n')];
  return [...new Set(shapes)].filter((shape) => shape !== body);
}
