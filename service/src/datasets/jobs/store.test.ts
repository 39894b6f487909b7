import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { loadJobProgress, saveJobProgress } from './store.ts';

onEachEngine((db) => {
  test('a job that never ran has no progress', async () => {
    expect(await loadJobProgress(db(), 'nasdaq')).toBeNull();
  });

  test('progress is kept to the millisecond, apart for each job, and never goes back', async () => {
    await saveJobProgress(db(), 'nasdaq', 1_763_650_000_123);
    await saveJobProgress(db(), 'sec', 5);
    await saveJobProgress(db(), 'nasdaq', 1_763_650_000_122);
    expect(await loadJobProgress(db(), 'nasdaq')).toBe(1_763_650_000_123);
    expect(await loadJobProgress(db(), 'sec')).toBe(5);
  });
});
