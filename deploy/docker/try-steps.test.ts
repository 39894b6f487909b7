import { expect, test } from 'vitest';
import { trySteps } from './try-steps.ts';

test('the steps of the image give a service that runs as another user, writes to its data alone, is healthy and ends well', async () => {
  const steps: string[] = [];
  const tried = await trySteps((line) => steps.push(line));
  expect(steps.at(-1)).toBe('starting');
  expect(tried.health).toEqual({ beforeStart: 1, ready: 0 });
  expect([tried.ended, tried.changed], tried.said).toEqual([0, []]);
  expect(tried.data).toContain('sandbox');
  const isRoot = process.getuid?.() === 0;
  expect(tried.uid === tried.ownerOfApp).toBe(!isRoot);
}, 400_000);
