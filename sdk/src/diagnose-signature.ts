import { hmacMatches } from './hmac.ts';

/**
 * Explains why a signature does not match any secret. Tries the usual mistakes to name the one that
 * was made: a separator between timestamp and body, a body that was serialized again, an incomplete
 * secret. A signature explained here is still rejected.
 */
export async function diagnose(
  { timestamp, body }: { timestamp: string; body: Uint8Array },
  secrets: readonly string[],
  signatures: readonly Uint8Array[],
): Promise<string> {
  const fits = async (secret: string, ...parts: (string | Uint8Array)[]): Promise<boolean> => {
    for (const signature of signatures) {
      if (await hmacMatches(secret, signature, ...parts)) return true;
    }
    return false;
  };
  const compact = reserialized(body);
  for (const secret of secrets) {
    if (await fits(secret, timestamp, '.', body)) return SEPARATOR;
    if (compact !== null && (await fits(secret, timestamp, compact))) return SERIALISED;
    for (const whole of [secret.trim(), `whsec_${secret.trim()}`]) {
      if (whole !== secret && whole !== '' && (await fits(whole, timestamp, body))) return SECRET;
    }
  }
  return (
    'No secret makes this signature. The usual mistakes: the body was parsed and serialised anew ' +
    '(the raw bytes are signed); the secret is that of another endpoint, or of before a change; ' +
    'something stands between timestamp and body (nothing does, no dot either).'
  );
}

const SEPARATOR =
  'It was signed with a dot between timestamp and body: the body follows the timestamp directly.';
const SERIALISED =
  'The body was parsed and serialised anew on its way here: the raw bytes are signed. Take them ' +
  'before a JSON parser does.';
const SECRET =
  'The secret is not whole: it is the text as displayed, with its whsec_ and without white space.';

/** The body as the service serializes JSON; null if it already has that form, or is not JSON. */
function reserialized(body: Uint8Array): string | null {
  const text = new TextDecoder().decode(body);
  try {
    const compact = JSON.stringify(JSON.parse(text));
    return compact === text ? null : compact;
  } catch {
    return null;
  }
}
