import { expect, test } from 'vitest';
import { trySteps } from './try-steps.ts';

test('builds an image whose service runs as another user, writes only its data, is healthy and stops cleanly', async () => {
  const steps: string[] = [];
  const tried = await trySteps((line) => steps.push(line));
  expect(steps.at(-1)).toBe('starting');
  expect(tried.health).toEqual({ beforeStart: 1, ready: 0 });
  expect([tried.ended, tried.changed], tried.said).toEqual([0, []]);
  expect(tried.data).toContain('sandbox');
  const isRoot = process.getuid?.() === 0;
  expect(tried.uid === tried.ownerOfApp).toBe(!isRoot);
}, 400_000);
