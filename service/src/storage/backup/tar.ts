const BLOCK_BYTES = 512;
const SIZE_BYTES_MAX = 0o77777777777;

/**
 * Renders the header for one file in a tar archive (POSIX ustar). The file is readable only by its
 * owner.
 */
export function renderTarHead(name: string, sizeBytes: number, atSeconds: number): Buffer {
  if (Buffer.byteLength(name) > 100 || sizeBytes > SIZE_BYTES_MAX) {
    throw new RangeError(`${name} of ${sizeBytes} bytes does not fit a tar archive.`);
  }
  const head = Buffer.alloc(BLOCK_BYTES);
  head.write(name, 0);
  head.write('0000600\0', 100);
  head.write('0000000\0', 108);
  head.write('0000000\0', 116);
  head.write(`${octal(sizeBytes, 11)}\0`, 124);
  head.write(`${octal(atSeconds, 11)}\0`, 136);
  head.write('        ', 148);
  head.write('0', 156);
  head.write('ustar\u000000', 257);
  let sum = 0;
  for (const byte of head) sum += byte;
  head.write(`${octal(sum, 6)}\0 `, 148);
  return head;
}

/**
 * Parses a header. Returns null for the zeros at the end of an archive and for any invalid header.
 */
export function parseTarHead(head: Uint8Array): { name: string; sizeBytes: number } | null {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  if (text.slice(257, 262) !== 'ustar') return null;
  const sizeBytes = Number.parseInt(text.slice(124, 135), 8);
  const [name = ''] = text.slice(0, 100).split('\0');
  return Number.isNaN(sizeBytes) || name === '' ? null : { name, sizeBytes };
}

/** Returns the zeros that pad the last block of a file. */
export function tarPadding(sizeBytes: number): Buffer {
  return Buffer.alloc((BLOCK_BYTES - (sizeBytes % BLOCK_BYTES)) % BLOCK_BYTES);
}

/** Two blocks of zeros end an archive. */
export const TAR_END: Buffer = Buffer.alloc(2 * BLOCK_BYTES);

export { BLOCK_BYTES as TAR_BLOCK_BYTES };

function octal(value: number, digits: number): string {
  return Math.trunc(value).toString(8).padStart(digits, '0');
}
