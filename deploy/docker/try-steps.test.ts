import { expect, test } from 'vitest';
import { trySteps } from './try-steps.ts';

test('builds an image whose service runs as a separate user, writes only to its data folder, becomes healthy and stops cleanly', async () => {
  const steps: string[] = [];
  const result = await trySteps((line) => steps.push(line));
  expect(steps.at(-1)).toBe('starting');
  expect(result.health).toEqual({ beforeStart: 1, ready: 0 });
  expect([result.exitCode, result.changed], result.output).toEqual([0, []]);
  expect(result.data).toContain('sandbox');
  const isRoot = process.getuid?.() === 0;
  expect(result.uid === result.ownerOfApp).toBe(!isRoot);
}, 400_000);
