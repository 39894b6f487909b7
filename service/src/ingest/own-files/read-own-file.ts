import { readFileSync, statSync } from 'node:fs';
import { decodeBody } from '../../platform/http-body.ts';
import type { Instant } from '../../platform/instant.ts';
import { fileUrl, type FileOptions } from '../../providers/files/file-options.ts';
import { provider } from '../../providers/files/index.ts';
import type { SourceResponse } from '../../providers/provider.ts';
import { createSourceResponse } from '../../providers/source-response.ts';

/** An operator's file that cannot be read. The message explains the fix. */
export class OwnFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OwnFileError';
  }
}

/**
 * Reads an operator's file. `name` is its name in the archive. Text that is not UTF-8 is read as
 * Windows-1252, which spreadsheets write in Western countries. Throws `OwnFileError`.
 */
export function readOwnFile(
  path: string,
  { name, observedAt, options }: { name: string; observedAt: Instant; options?: FileOptions },
): SourceResponse {
  const bytes = readBytes(path);
  if (bytes.subarray(0, 4).equals(ZIP_MARK)) {
    throw new OwnFileError(`${path} is a workbook: save the sheet as CSV and use that file`);
  }
  return createSourceResponse({
    url: fileUrl(name, options),
    status: 200,
    contentType: 'text/plain',
    observedAt,
    text: decodeBody(bytes, isUtf8(bytes) ? '' : 'text/plain; charset=windows-1252'),
  });
}

/** Start of a ZIP archive, which includes XLSX and ODS workbooks. */
const ZIP_MARK = Buffer.from([0x50, 0x4b, 0x03, 0x04]);

function readBytes(path: string): Buffer {
  const { bodyBytesMax } = provider.limits;
  try {
    const facts = statSync(path);
    if (!facts.isFile()) throw new OwnFileError(`${path} is not a file`);
    if (facts.size > bodyBytesMax) {
      throw new OwnFileError(`${path} is larger than ${bodyBytesMax} bytes: split it`);
    }
    return readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : null;
    if (code === null) throw error;
    throw new OwnFileError(
      code === 'ENOENT' ? `${path} does not exist` : `${path} cannot be read: ${code}`,
    );
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
