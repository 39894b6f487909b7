import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that run queries for long enough to be worth optimizing the engine. */
const OPTIMIZED = [
  'service/test/simulator/simulator.test.ts',
  'service/test/recompute.test.ts',
  'service/test/recordings.test.ts',
  'service/src/storage/backup/backup.test.ts',
  'service/test/provider-faults.test.ts',
  'service/src/http/management/permissions.test.ts',
];

/** A minute and more each, the longest first: begun last, one of them would hold a whole run up. */
const LONG = [
  'service/test/contract.test.ts',
  ...OPTIMIZED.slice(0, 1),
  'dashboard/test/screens/every-page.test.ts',
  'service/test/first-run.test.ts',
  'service/test/backup-commands.test.ts',
  'service/test/guide-samples.test.ts',
  ...OPTIMIZED.slice(1),
];

const BROWSER = ['dashboard/test/**/*.test.ts'];

/**
 * A browser shows things when a busy machine lets it. A timeout is repeated once, and the run
 * reports it; a wrong result fails immediately.
 */
const TIMED_OUT = { count: 1, condition: /Timeout \d+ms exceeded|was not reached|timed out/ };

/**
 * Tests that inspect their own process or disturb it: they measure memory, end threads, kill
 * processes, or need every turn of the event loop.
 */
const ALONE = [
  '{scripts,deploy}/**/*.test.ts',
  'service/test/{cells,roles,simulator}/**/*.test.ts',
  'service/{src,test}/**/kill*.test.ts',
  'service/src/storage/{engines,folder}/**/*.test.ts',
  'service/src/delivery/send/**/*.test.ts',
  'service/src/providers/source-response.test.ts',
  'service/test/attack/{giant-bodies,flooding-receivers,malformed-requests,slow-clients}.test.ts',
  'service/test/attack/{database-under-attack,embedded-disk,power-cuts}.test.ts',
  'service/test/{garbage,restore-drill}.test.ts',
  'service/test/{contract,first-run,backup-commands,guide-samples}.test.ts',
];

/**
 * All other tests share processes, which saves starting a process and loading all modules for each
 * file. They leave no globals behind.
 */
const SHARED = ['{service,dashboard,sdk}/{src,test}/**/*.test.ts'];

function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ project, moduleId }: TestSpecification): number {
  const place = LONG.findIndex((end) => moduleId.endsWith(end));
  if (place >= 0) return place;
  return project.name === 'browser' ? LONG.length : Number.MAX_VALUE;
}

const NEVER = ['**/node_modules/**', '**/dist/**'];
/** Stores on disk start as copies of a seed; threads inherit the option. */
const seeded = `--require=${here('service/test/support/seeded-stores.cjs')}`;

/**
 * Compiles WebAssembly once, without optimization. Most files use the embedded engine for a second
 * or two, and optimized code costs more to compile than it saves: eight files took 24 s of
 * processor time instead of 39. `OPTIMIZED` tests would take up to a third more.
 */
const PLAIN = '--liftoff-only';

export default defineConfig({
  test: {
    // Time limits only end what hangs. No test depends on how fast a busy machine is.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    globalSetup: ['service/test/support/global-setup.ts'],
    // Many tests wait for processes, browsers and responses.
    maxWorkers: 3,
    // Property tests draw from the seed of the run, so that a change is judged by itself and not by
    // chance.
    alias: { 'fast-check': here('service/test/support/seeded-fast-check.ts') },
    sequence: { sequencer: LongFirst },
    projects: [
      {
        extends: true,
        test: { name: 'optimized', include: OPTIMIZED, exclude: NEVER, execArgv: [seeded] },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: BROWSER,
          exclude: NEVER,
          execArgv: [seeded],
          retry: TIMED_OUT,
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALONE,
          exclude: [...NEVER, ...OPTIMIZED],
          execArgv: [seeded, PLAIN],
        },
      },
      {
        extends: true,
        test: {
          name: 'shared',
          include: SHARED,
          exclude: [...NEVER, ...OPTIMIZED, ...BROWSER, ...ALONE],
          execArgv: [seeded, PLAIN],
          isolate: false,
          env: { REUSES_STORES: '1' },
        },
      },
    ],
  },
});
