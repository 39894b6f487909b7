/**
 * Checks whether the signature is the HMAC-SHA256 of the concatenated parts. Web Crypto compares in
 * constant time.
 */
export async function hmacMatches(
  key: Uint8Array,
  signature: Uint8Array,
  ...parts: readonly (string | Uint8Array)[]
): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  // Web Crypto rejects an empty key.
  if (key.length === 0) return false;
  const imported = await subtle.importKey('raw', new Uint8Array(key), hmac, false, ['verify']);
  return subtle.verify('HMAC', imported, new Uint8Array(signature), joined(parts));
}

function joined(parts: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const all = parts.map((part) =>
    typeof part === 'string' ? new TextEncoder().encode(part) : part,
  );
  const whole = new Uint8Array(all.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of all) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
