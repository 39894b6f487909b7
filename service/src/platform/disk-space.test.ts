import { expect, test } from 'vitest';
import { readDiskSpace } from './disk-space.ts';

test("reads free and total space of a folder's disk; null for a missing folder", async () => {
  const space = await readDiskSpace(import.meta.dirname);
  expect(space?.totalBytes).toBeGreaterThan(0);
  expect(space?.freeBytes).toBeLessThanOrEqual(space?.totalBytes ?? 0);
  expect(await readDiskSpace(`${import.meta.dirname}/no-such-folder`)).toBeNull();
});
