import { expect, test } from 'vitest';
import { readDiskSpace } from './disk-space.ts';

test("returns the free and total disk space for a folder, or null if the folder doesn't exist", async () => {
  const space = await readDiskSpace(import.meta.dirname);
  expect(space?.totalBytes).toBeGreaterThan(0);
  expect(space?.freeBytes).toBeLessThanOrEqual(space?.totalBytes ?? 0);
  expect(await readDiskSpace(`${import.meta.dirname}/no-such-folder`)).toBeNull();
});
