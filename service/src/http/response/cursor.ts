import { createHash } from 'node:crypto';

/** Where a page begins: after `offset` rows, the last of which has this fingerprint. */
export interface Cursor {
  offset: number;
  /** Fingerprint of the previous row, which finds the position again if rows moved. */
  lastRow: string;
}

export const CURSOR_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;

export function writeCursor({ offset, lastRow }: Cursor): string {
  return Buffer.from(`${offset}.${lastRow}`).toString('base64url');
}

/** Null if it is malformed. */
export function readCursor(text: string): Cursor | null {
  const [, offset, lastRow] = /^(\d{1,9})\.([0-9a-f]{16})$/.exec(decodeBase64(text)) ?? [];
  return offset === undefined || lastRow === undefined ? null : { offset: Number(offset), lastRow };
}

/** Fingerprint of a row: its id if it has one, otherwise its whole content. */
export function fingerprint(row: unknown): string {
  const hasId = typeof row === 'object' && row !== null && 'id' in row;
  const text = hasId ? `id ${String(row.id)}` : JSON.stringify(row);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function decodeBase64(text: string): string {
  return Buffer.from(text, 'base64url').toString('latin1');
}
