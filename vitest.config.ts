import { fileURLToPath } from 'node:url';
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
  'service/src/storage/backup/backup.test.ts',
  'service/test/provider-faults.test.ts',
  'service/src/http/management/rights.test.ts',
  'dashboard/test/journeys/**/*.test.ts',
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ project }: TestSpecification) => project.name === 'long';
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const include = ['{service,sdk,dashboard,scripts,deploy}/**/*.test.ts'];
const exclude = ['**/node_modules/**', '**/dist/**'];
/** Stores on disk begin as copies; in threads too, which take this over. */
const seeded = `--import=${fileURLToPath(
  new URL('service/test/support/seeded-stores.ts', import.meta.url),
)}`;

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What is waited for may take its time on a busy machine; a second is not long.
    expect: { poll: { timeout: 30_000 } },
    globalSetup: ['service/test/support/prepare-run.ts'],
    // Many of them wait for processes, browsers and answers.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    projects: [
      { extends: true, test: { name: 'long', include: LONG, execArgv: [seeded] } },
      {
        extends: true,
        test: {
          name: 'short',
          ...{ include, exclude: [...exclude, ...LONG] },
          // Compiles WebAssembly once and plainly. These run the embedded engine for a second or two
          // each in a process of their own, where better code costs more to make than it saves: they
          // take a third less of a processor. The long ones would take more.
          execArgv: [seeded, '--liftoff-only'],
        },
      },
    ],
  },
});
