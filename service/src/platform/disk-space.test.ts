import { expect, test } from 'vitest';
import { readDiskSpace } from './disk-space.ts';

test('a folder has a disk with so much free of so much; one that is not there has none', async () => {
  const space = await readDiskSpace(import.meta.dirname);
  expect(space?.totalBytes).toBeGreaterThan(0);
  expect(space?.freeBytes).toBeLessThanOrEqual(space?.totalBytes ?? 0);
  expect(await readDiskSpace(`${import.meta.dirname}/no-such-folder`)).toBeNull();
});
