import { expect, test } from 'vitest';
import { singleFlight } from './single-flight.ts';

test('shares a running call among concurrent callers and starts a new call after it ends', async () => {
  let runs = 0;
  const call = singleFlight(async () => {
    runs += 1;
    await Promise.resolve();
    return runs;
  });
  expect(await Promise.all([call(), call(), call()])).toEqual([1, 1, 1]);
  expect(await call()).toBe(2);
});

test('rejects all waiting callers when the call fails, and does not cache the failure', async () => {
  let isWell = false;
  const call = singleFlight(async () => {
    await Promise.resolve();
    if (!isWell) throw new Error('no store');
    return 'well';
  });
  const results = await Promise.allSettled([call(), call()]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isWell = true;
  expect(await call()).toBe('well');
});
