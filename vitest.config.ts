import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** Minutes each: begun last, one of them would hold a whole run up alone. */
const LONG = [
  'dashboard/test/screens/every-screen.test.ts',
  'service/test/simulator/simulator.test.ts',
  'service/test/backup-commands.test.ts',
  'service/test/first-run.test.ts',
  'service/test/recompute.test.ts',
  'service/test/guide-samples.test.ts',
  'service/test/recordings.test.ts',
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((end) => moduleId.endsWith(end));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ['{service,sdk,dashboard,scripts,deploy}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What is waited for may take its time on a busy machine; a second is not long.
    expect: { poll: { timeout: 30_000 } },
    // Many of them wait for processes, browsers and answers.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
  },
});
