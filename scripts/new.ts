import { fileURLToPath } from 'node:url';
import { createPlugin, KINDS } from './new/create.ts';

// npm run new KIND NAME writes a working skeleton for a provider, an endpoint or a webhook
// template.

const [kind, name] = process.argv.slice(2);
if (kind === undefined || name === undefined) {
  fail(`usage: npm run new ${KINDS.join('|')} NAME`);
} else {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const created = createPlugin({ root, kind, name });
  if ('problem' in created) fail(`nothing written: ${created.problem}`);
  else {
    for (const path of created.written) console.log(`wrote ${path}`);
    for (const [index, step] of created.next.entries()) console.log(`${index + 1}. ${step}`);
  }
}

function fail(problem: string): void {
  console.error(problem);
  process.exitCode = 1;
}
