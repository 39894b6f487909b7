import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from '../../src/storage/db.ts';
import { forward } from '../../src/storage/forward.ts';
import { openStore } from '../../src/storage/open-store.ts';

/**
 * Opens an embedded store on disk in the same way as the service. Closing it removes its folder.
 */
export async function embeddedStore(): Promise<Db> {
  const folder = mkdtempSync(join(tmpdir(), 'afterbell-bench-'));
  const db = await openStore({ folder: join(folder, 'store') });
  return forward(db, {
    async close() {
      await db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  });
}
