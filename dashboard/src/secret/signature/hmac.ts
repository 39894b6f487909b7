/** Calculates the HMAC-SHA256 of a text in the browser, in hexadecimal. */
export async function hmacHex(secret: string, text: string): Promise<string> {
  const { subtle } = globalThis.crypto;
  const encoder = new TextEncoder();
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await subtle.importKey('raw', encoder.encode(secret), hmac, false, ['sign']);
  const digest = await subtle.sign('HMAC', key, encoder.encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
