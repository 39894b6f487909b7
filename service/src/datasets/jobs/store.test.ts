import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { loadJobProgress, saveJobProgress } from './store.ts';

onEachEngine((db) => {
  test('returns no progress for a job that never ran', async () => {
    expect(await loadJobProgress(db(), 'nasdaq')).toBeNull();
  });

  test('stores progress per job to the millisecond and never moves it back', async () => {
    await saveJobProgress(db(), 'nasdaq', 1_763_650_000_123);
    await saveJobProgress(db(), 'sec', 5);
    await saveJobProgress(db(), 'nasdaq', 1_763_650_000_122);
    expect(await loadJobProgress(db(), 'nasdaq')).toBe(1_763_650_000_123);
    expect(await loadJobProgress(db(), 'sec')).toBe(5);
  });
});
