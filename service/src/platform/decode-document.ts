const UTF_8 = new TextDecoder('utf-8', { fatal: true });
const WINDOWS_1252 = new TextDecoder('windows-1252');

/**
 * Decodes a document for people, which is UTF-8 or, in many filings, Windows-1252. Documents name
 * neither reliably.
 */
export function decodeDocument(bytes: Uint8Array): string {
  try {
    return UTF_8.decode(bytes);
  } catch {
    return WINDOWS_1252.decode(bytes);
  }
}
