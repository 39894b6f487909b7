import { renderTarHead, TAR_END, tarPadding } from './tar.ts';

const NAME = 'sha256';

/**
 * Renders the trailer of a backup: a file that contains the SHA-256 of all bytes before it,
 * followed by the end of the archive. The trailer's bytes depend only on the hash, so a change to
 * any bit of a backup is detected.
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
