import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A minute and more each, the longest first: begun last, one of them would hold a whole run up. */
const LONG = [
  'service/test/simulator/simulator.test.ts',
  'service/test/first-run.test.ts',
  'service/test/backup-commands.test.ts',
  'service/test/guide-samples.test.ts',
  'service/test/recompute.test.ts',
  'service/test/recordings.test.ts',
  'service/src/storage/backup/backup.test.ts',
  'service/test/provider-faults.test.ts',
  'service/src/http/management/permissions.test.ts',
];

const BROWSER = ['dashboard/test/**/*.test.ts'];

/**
 * What a browser shows comes when a busy machine lets it. What was waited for in vain is waited for
 * once more, and the run says so; what was answered wrongly fails at once.
 */
const IN_VAIN = { count: 1, condition: /Timeout \d+ms exceeded|was not reached|timed out/ };

/**
 * Those that leave nothing behind share processes, which saves starting one and loading all modules
 * anew for each: what they need is given to them, so that they have no globals to change.
 */
const SHARED = ['{service,dashboard,sdk}/src/**/*.test.ts'];

/** All others: they start and end processes, change globals, or look at their own process. */
const ALONE = [
  '{service,sdk}/!(src)/**/*.test.ts',
  '{scripts,deploy}/**/*.test.ts',
  'service/src/{app,cli,config,storage}/**/*.test.ts',
  'service/src/**/{kill,kill-database,histories,lease,fuzz}.test.ts',
  'service/src/delivery/{send,worker}/**/*.test.ts',
  'service/src/providers/source-response.test.ts',
];

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
  if (project.name === 'long') return LONG.findIndex((end) => moduleId.endsWith(end));
  // Every screen is the longest of those in a browser.
  if (project.name === 'browser') return moduleId.includes('/every-screen') ? 1.5 : LONG.length;
  return Number.MAX_VALUE;
}

const NEVER = ['**/node_modules/**', '**/dist/**'];
/** Stores on disk begin as copies; in threads too, which take this over. */
const seeded = `--require=${here('service/test/support/seeded-stores.cjs')}`;

/**
 * Compiles WebAssembly once and plainly. Most files run the embedded engine for a second or two, and
 * better code costs more to make than it saves: eight of them took 39 s of a processor, and take 24 s.
 * The long ones would take up to a third more.
 */
const PLAIN = '--liftoff-only';

export default defineConfig({
  test: {
    // Nothing is judged by how long it takes on a busy machine: these end what hangs.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    globalSetup: ['service/test/support/prepare-run.ts'],
    // Many of them wait for processes, browsers and answers.
    maxWorkers: 3,
    // Properties draw from the seed of the run: a change is judged by itself, not by what is drawn.
    alias: { 'fast-check': here('service/test/support/seeded-fast-check.ts') },
    sequence: { sequencer: LongFirst },
    projects: [
      {
        extends: true,
        test: { name: 'long', include: LONG, exclude: NEVER, execArgv: [seeded] },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: BROWSER,
          exclude: NEVER,
          execArgv: [seeded],
          retry: IN_VAIN,
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALONE,
          exclude: [...NEVER, ...LONG],
          execArgv: [seeded, PLAIN],
        },
      },
      {
        extends: true,
        test: {
          name: 'shared',
          include: SHARED,
          exclude: [...NEVER, ...LONG, ...ALONE],
          execArgv: [seeded, PLAIN],
          isolate: false,
        },
      },
    ],
  },
});
