import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// npm run check                     everything that must hold before a change lands
// npm run check -- --without-tests  the same without the tests
//
// Every step runs, so that one run shows all that is wrong. A step's output is shown when it fails.

interface Step {
  name: string;
  command: readonly [tool: string, ...args: string[]];
}

const STEPS: readonly Step[] = [
  { name: 'generated files are fresh', command: ['node', 'scripts/gen.ts', '--check'] },
  { name: 'formatting', command: ['oxfmt', '--check'] },
  { name: 'lint', command: ['oxlint', '--deny-warnings'] },
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
  { name: 'types of the dashboard', command: ['tsc', '-p', 'dashboard'] },
  { name: 'unused files, exports, packages', command: ['knip'] },
  { name: 'licences of shipped packages', command: ['node', 'scripts/licences.ts'] },
];
const TESTS: Step = { name: 'tests', command: ['vitest', 'run'] };

const root = fileURLToPath(new URL('..', import.meta.url));
const steps = process.argv.includes('--without-tests') ? STEPS : [...STEPS, TESTS];
const failed = steps.filter((step) => !runStep(step));
if (failed.length > 0) {
  console.error(`${failed.length} of ${steps.length} checks failed:`);
  for (const step of failed) console.error(`  ${step.name}: ${step.command.join(' ')}`);
  process.exitCode = 1;
} else {
  console.log(`All ${steps.length} checks passed.`);
}

/** npm puts the repository's own tools on the path of its scripts. */
function runStep({ name, command: [tool, ...args] }: Step): boolean {
  const { status, error, stdout, stderr } = spawnSync(tool, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const passed = status === 0;
  console.log(`${passed ? 'ok    ' : 'FAILED'}  ${name}`);
  if (!passed) console.log(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`.trimEnd());
  return passed;
}
