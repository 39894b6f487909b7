import { migrate } from '../../service/src/storage/schema/migrate.ts';
import { openPglite } from '../../service/src/storage/engines/pglite/pglite.ts';
import { renderSchema } from '../../service/src/storage/schema/schema.ts';
import type { Output } from './output.ts';

/** The database schema after all migrations, for reference. */
export const schema: Output = {
  path: 'service/migrations/schema.sql',
  async render() {
    const db = await openPglite({ dataDir: 'memory://' });
    try {
      await migrate(db);
      return await renderSchema(db);
    } finally {
      await db.close();
    }
  },
};
