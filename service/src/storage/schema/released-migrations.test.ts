import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { loadMigrations } from './migrate.ts';

const RELEASED = new URL('../../../migrations/released.sha256', import.meta.url);

test('leaves released migrations as they are, because every store holds their checksums', async () => {
  const lines = (await readFile(RELEASED, 'utf8')).trim().split('\n');
  const migrations = await loadMigrations();
  const present = migrations.slice(0, lines.length).map(({ number, name, checksum }) => {
    return `${checksum}  ${String(number).padStart(4, '0')}-${name}.sql`;
  });
  expect(present).toEqual(lines);
});
