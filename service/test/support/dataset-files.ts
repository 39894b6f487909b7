import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LATEST, type Manifest, manifestPath } from '../../src/endpoints/tables/manifest.ts';

export const WRITTEN_AT = '2026-11-20T08:30:00Z';

/** Writes a set with one file per content, as an export would, and makes it the newest. */
export function writeSet(folder: string, name: string, contents: Record<string, string>): void {
  const set = join(folder, name);
  mkdirSync(join(set, 'earnings'), { recursive: true });
  const files = Object.entries(contents).map(([file, text]) => {
    writeFileSync(join(set, 'earnings', file), text);
    const year = file.slice(0, 4);
    return {
      file,
      from: `${year}-01-01`,
      to: `${year}-12-31`,
      rows: 2,
      sizeBytes: text.length,
      sha256: createHash('sha256').update(text).digest('hex'),
      writtenAt: WRITTEN_AT,
      fingerprint: null,
    };
  });
  const table = { dataset: 'earnings', columns: [], rounded: 0, tooLarge: 0, files };
  const manifest: Manifest = { format: 'parquet', exportedAt: WRITTEN_AT, tables: [table] };
  writeFileSync(manifestPath(set), JSON.stringify(manifest));
  rmSync(join(folder, LATEST), { force: true });
  symlinkSync(name, join(folder, LATEST));
}
