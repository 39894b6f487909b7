import { hmacMatches } from './hmac.ts';

/**
 * Explains why a signature does not match any secret. Checks for the usual mistakes: a separator
 * between timestamp and body, a body that was serialized again, or an incomplete secret. A
 * signature explained here is still rejected.
 */
export async function diagnoseSignature(
  { timestamp, body }: { timestamp: string; body: Uint8Array },
  secrets: readonly string[],
  signatures: readonly Uint8Array[],
): Promise<string> {
  const matches = async (secret: string, ...parts: (string | Uint8Array)[]): Promise<boolean> => {
    for (const signature of signatures) {
      const key = new TextEncoder().encode(secret);
      if (await hmacMatches(key, signature, ...parts)) return true;
    }
    return false;
  };
  const compact = reserialized(body);
  for (const secret of secrets) {
    if (await matches(secret, timestamp, '.', body)) return SEPARATOR;
    if (compact !== null && (await matches(secret, timestamp, compact))) return SERIALIZED;
    for (const complete of [secret.trim(), `whsec_${secret.trim()}`]) {
      if (complete !== secret && complete !== '' && (await matches(complete, timestamp, body)))
        return SECRET;
    }
  }
  return (
    'No secret matches this signature. The usual mistakes: the body was parsed and serialized again ' +
    '(the signature covers the raw bytes); the secret belongs to another endpoint or was rotated; ' +
    'there is a separator between timestamp and body (there must be none).'
  );
}

const SEPARATOR =
  'The signature has a dot between timestamp and body: the body must follow the timestamp directly.';
const SERIALIZED =
  'The body was parsed and serialized again: the signature covers the raw bytes. Read them before ' +
  'a JSON parser does.';
const SECRET =
  'The secret is incomplete: use the text as displayed, with whsec_ and without white space.';

/**
 * Returns the body as the service serializes JSON, or null if it already has that form or is not
 * JSON.
 */
function reserialized(body: Uint8Array): string | null {
  const text = new TextDecoder().decode(body);
  try {
    const compact = JSON.stringify(JSON.parse(text));
    return compact === text ? null : compact;
  } catch {
    return null;
  }
}
