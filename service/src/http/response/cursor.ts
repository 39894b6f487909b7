import { createHash } from 'node:crypto';

/**
 * Position at which a page starts: after `offset` rows, the last of which has the fingerprint
 * `lastRow`.
 */
export interface Cursor {
  offset: number;
  /** Fingerprint of the previous row, used to find the position if rows were added or removed. */
  lastRow: string;
}

export const CURSOR_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;

export function writeCursor({ offset, lastRow }: Cursor): string {
  return Buffer.from(`${offset}.${lastRow}`).toString('base64url');
}

/** Parses a cursor. Returns null if it is malformed. */
export function readCursor(text: string): Cursor | null {
  const [, offset, lastRow] = /^(\d{1,9})\.([0-9a-f]{16})$/.exec(decodeBase64(text)) ?? [];
  return offset === undefined || lastRow === undefined ? null : { offset: Number(offset), lastRow };
}

/**
 * Returns the fingerprint of a row, based on its ID if it has one and otherwise on its entire
 * content.
 */
export function fingerprint(row: unknown): string {
  const hasId = typeof row === 'object' && row !== null && 'id' in row;
  const text = hasId ? `id ${String(row.id)}` : JSON.stringify(row);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function decodeBase64(text: string): string {
  return Buffer.from(text, 'base64url').toString('latin1');
}
