import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate, MIGRATIONS_FOLDER } from './migrate.ts';
import { openPglite } from './pglite.ts';
import { renderSchema } from './schema.ts';

// Run by node: writes the end state of the migrations beside them.
const db = await openPglite({ dataDir: 'memory://' });
await migrate(db);
await writeFile(join(MIGRATIONS_FOLDER, 'schema.sql'), await renderSchema(db));
await db.close();
