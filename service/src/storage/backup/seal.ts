import { renderTarHead, TAR_END, tarPadding } from './tar.ts';

const NAME = 'sha256';

/**
 * The end of a backup: a file with the SHA-256 of all that stands before it, and the end of the
 * archive. Its bytes follow from the hash, so that not one bit of a backup can change unseen.
 */
export function renderSeal(sha256: string): Buffer {
  const text = Buffer.from(`${sha256}\n`);
  return Buffer.concat([
    renderTarHead(NAME, text.length, 0),
    text,
    tarPadding(text.length),
    TAR_END,
  ]);
}

export const SEAL_BYTES: number = renderSeal('0'.repeat(64)).length;
