import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { memoryStore, postgresStore } from '../../../test/support/stores.ts';
import { MIGRATIONS_FOLDER } from './migrate.ts';
import { renderSchema } from './schema.ts';

test('renders the schema exactly as in schema.sql (run npm run gen to update it)', async () => {
  const db = await memoryStore();
  const committed = await readFile(`${MIGRATIONS_FOLDER}/schema.sql`, 'utf8');
  expect(await renderSchema(db)).toBe(committed);
  await db.close();
});

test('renders the same schema on both engines', async ({ skip }) => {
  const store = await postgresStore();
  if ('missing' in store) return skip(store.missing);
  const db = await memoryStore();
  expect(await renderSchema(store.db)).toBe(await renderSchema(db));
  await db.close();
  await store.db.close();
});
