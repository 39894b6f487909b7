import { renderTarHead, TAR_END, tarPadding } from './tar.ts';

const NAME = 'sha256';

/**
 * The trailer of a backup: a file with the SHA-256 of all bytes before it, and the end of the
 * archive. Its bytes depend only on the hash, so every changed bit of a backup is detected.
 */
export function renderTrailer(sha256: string): Buffer {
  const text = Buffer.from(`${sha256}\n`);
  return Buffer.concat([
    renderTarHead(NAME, text.length, 0),
    text,
    tarPadding(text.length),
    TAR_END,
  ]);
}

export const TRAILER_BYTES: number = renderTrailer('0'.repeat(64)).length;
