import { fileURLToPath } from 'node:url';
import { generate } from './gen/generate.ts';
import { outputs } from './gen/outputs.ts';

// npm run gen writes every generated file
// npm run gen -- --check writes nothing, lists stale files, and fails if there are any

const root = fileURLToPath(new URL('..', import.meta.url));
const check = process.argv.includes('--check');
const outcomes = await generate({ root, outputs, check });
for (const [path, outcome] of outcomes) {
  if (outcome !== 'same') console.log(`${outcome.padEnd(14)}  ${path}`);
}
const bad = [...outcomes.values()].filter((it) => it === 'stale' || it === 'without source').length;
if (check && bad > 0) {
  console.error(`${bad} generated files are stale; run npm run gen and commit the changes.`);
  process.exitCode = 1;
} else {
  console.log(`${outcomes.size} generated files, ${check ? 'none stale' : 'up to date'}.`);
}
