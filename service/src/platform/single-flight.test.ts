import { expect, test } from 'vitest';
import { singleFlight } from './single-flight.ts';

test('whoever asks while it runs gets the same; who asks after it gets a new one', async () => {
  let runs = 0;
  const ask = singleFlight(async () => {
    runs += 1;
    await Promise.resolve();
    return runs;
  });
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  expect(await ask()).toBe(2);
});

test('a failure is told to all who wait, and is not kept', async () => {
  let isWell = false;
  const ask = singleFlight(async () => {
    await Promise.resolve();
    if (!isWell) throw new Error('no store');
    return 'well';
  });
  const both = await Promise.allSettled([ask(), ask()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isWell = true;
  expect(await ask()).toBe('well');
});
