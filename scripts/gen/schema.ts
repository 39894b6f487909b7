import { loadModule } from './load-module.ts';
import type { Output } from './output.ts';

interface SchemaModule {
  renderSchema(): string | Promise<string>;
}

/** What the database looks like after every migration, dumped for readers. */
export const schema: Output = {
  path: 'service/migrations/schema.sql',
  async render(root) {
    const source = await loadModule<SchemaModule>(root, 'service/src/storage/write-schema.ts');
    return source === null ? null : await source.renderSchema();
  },
};
