import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { loadMigrations } from '../schema/migrate.ts';
import { readStoreInfo } from './store-info.ts';

onEachEngine((db) => {
  test('reads the engine, the newest migration and the size of a store', async () => {
    const newest = (await loadMigrations()).at(-1);
    const facts = await readStoreInfo(db());
    expect(facts).toMatchObject({ engine: db().engine, schemaVersion: newest?.number });
    expect(facts.sizeBytes).toBeGreaterThan(1_000_000);
  });
});
