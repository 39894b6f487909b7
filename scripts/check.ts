import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// npm run check runs every check that a change must pass
// npm run check -- --without-tests runs all checks except the tests
//
// Runs every step even if one fails, so that a single run shows all problems. Two steps run at a
// time, since several of them use only one processor, and the tests run last. Prints the output of
// each failed step.

interface Step {
  name: string;
  command: readonly [tool: string, ...args: string[]];
}

const STEPS: readonly Step[] = [
  { name: 'generated files', command: ['node', 'scripts/gen.ts', '--check'] },
  { name: 'formatting', command: ['oxfmt', '--check'] },
  { name: 'lint', command: ['oxlint', '--deny-warnings'] },
  // Several checkers repeat work for shared files. A single checker uses a quarter of the processor
  // time that the default of four uses.
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json', '--checkers', '1'] },
  { name: 'types of the dashboard', command: ['tsc', '-p', 'dashboard', '--checkers', '1'] },
  { name: 'unused files, exports, packages', command: ['knip'] },
  { name: 'licences of shipped packages', command: ['node', 'scripts/licences.ts'] },
];
const TESTS: Step = { name: 'tests', command: ['vitest', 'run'] };

const root = fileURLToPath(new URL('..', import.meta.url));
const steps = process.argv.includes('--without-tests') ? STEPS : [...STEPS, TESTS];
const failed: Step[] = [];
const waiting = [...STEPS];
await Promise.all([runWaiting(), runWaiting()]);
if (steps.includes(TESTS)) await runStep(TESTS);
if (failed.length > 0) {
  console.error(`${failed.length} of ${steps.length} checks failed:`);
  for (const step of failed) console.error(`  ${step.name}: ${step.command.join(' ')}`);
  process.exitCode = 1;
} else {
  console.log(`All ${steps.length} checks passed.`);
}

async function runWaiting(): Promise<void> {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) await runStep(step);
}

/** Runs a step. npm adds the repository's tools to the path of its scripts. */
async function runStep(step: Step): Promise<void> {
  const { name, command } = step;
  const { passed, output } = await run(command);
  if (!passed) failed.push(step);
  console.log(`${passed ? 'ok    ' : 'FAILED'}  ${name}`);
  if (!passed) console.log(output.trimEnd());
}

function run([tool, ...args]: Step['command']): Promise<{ passed: boolean; output: string }> {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(tool, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    child.once('error', (error) => resolve({ passed: false, output: error.message }));
    child.once('close', (code) => resolve({ passed: code === 0, output }));
  });
}
