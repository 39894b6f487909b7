import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { loadMigrations } from '../schema/migrate.ts';
import { readStoreInfo } from './store-info.ts';

onEachEngine((db) => {
  test('a store tells its engine, its newest migration and its size', async () => {
    const newest = (await loadMigrations()).at(-1);
    const facts = await readStoreInfo(db());
    expect(facts).toMatchObject({ engine: db().engine, schemaVersion: newest?.number });
    expect(facts.sizeBytes).toBeGreaterThan(1_000_000);
  });
});
