import { expect, test } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { createProgress } from './progress.ts';

test('prints progress every five seconds and once at the end when there is no terminal', async () => {
  const clock = fakeClock(0);
  const lines: string[] = [];
  const stderr = (text: string) => void lines.push(text);
  const progress = createProgress({
    label: 'Replaying',
    total: 200,
    isTerminal: false,
    stderr,
    clock,
  });
  for (let second = 0; second < 12; second++) {
    progress.tick(10);
    await clock.advance(1_000);
  }
  progress.finish();
  progress.tick();
  progress.finish();
  await clock.advance(60_000);
  expect(lines).toEqual([
    'Replaying: 50 of 200, 25% after 5 s\n',
    'Replaying: 100 of 200, 50% after 10 s\n',
    'Replaying: 120 of 200, 60% after 12 s\n',
  ]);
});

test('shows only the count when the total is unknown', () => {
  const lines: string[] = [];
  const stderr = (text: string) => void lines.push(text);
  const progress = createProgress({
    label: 'Reading',
    isTerminal: false,
    stderr,
    clock: fakeClock(0),
  });
  progress.tick();
  progress.finish();
  expect(lines).toEqual(['Reading: 1 after 0 s\n']);
});

test('shows a progress bar on a terminal and ends it with a line feed', () => {
  let shown = '';
  const stderr = (text: string) => void (shown += text);
  const progress = createProgress({
    label: 'Replaying',
    total: 4,
    isTerminal: true,
    stderr,
    clock: fakeClock(0),
  });
  progress.tick(4);
  progress.finish();
  expect(shown).toContain('Replaying [');
  expect(shown).toContain('100% | 4 of 4');
  expect(shown.endsWith('\n')).toBe(true);
});
