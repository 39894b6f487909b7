import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seededEnv } from './afterbell-process.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A block of `sh` in a document, and what a remark in front of it says. */
export interface Sample {
  code: string;
  /** Why it is not run; null when it is. */
  notRun: string | null;
  /** Exit codes that are as it should be. */
  exits: readonly number[];
}

export interface SampledDocument {
  path: string;
  samples: readonly Sample[];
}

/** Every document that a user reads, with its samples. */
export function sampledDocuments(): SampledDocument[] {
  const guides = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', ...guides.map((name) => `docs/${name}`)]
    .map((path) => ({ path, samples: samplesOf(readFileSync(join(ROOT, path), 'utf8')) }))
    .filter(({ samples }) => samples.length > 0);
}

/**
 * `<!-- not run: REASON -->` in front of a block leaves it out, `<!-- exits with 0 or 2: REASON -->`
 * says what else than 0 is well.
 */
export function samplesOf(text: string): Sample[] {
  const shape = /(?:^<!-- ([^\n]*) -->\n\n)?^```sh\n(.*?)^```$/gms;
  return [...text.matchAll(shape)].map(([, remark = '', code = '']) => {
    const notRun = /^not run: (.+)$/.exec(remark)?.[1] ?? null;
    const exits = /^exits with (\d+(?: or \d+)*): ./.exec(remark)?.[1] ?? '0';
    return { code, notRun, exits: exits.split(' or ').map(Number) };
  });
}

/** A shell as a reader has it: `npx afterbell` is ours, and `curl` fails where the answer is an error. */
export function readersShell(options: {
  /** An empty folder of its own, in which the samples run. */
  folder: string;
  /** What the documents take as given, such as `URL` and `KEY`. */
  variables: Readonly<Record<string, string>>;
  /** What stands in the documents for a thing that everybody has another of. */
  standIns: Readonly<Record<string, string>>;
}): (sample: Sample) => Promise<{ code: number; output: string }> {
  const { folder, variables, standIns } = options;
  const tools = join(folder, 'tools');
  const kept = join(folder, 'variables.sh');
  mkdirSync(tools);
  writeFileSync(kept, '');
  writeTool(
    join(tools, 'curl'),
    `PATH="${process.env['PATH']}" exec curl --fail-with-body -sS "$@"`,
  );
  const binary = join(ROOT, 'service/bin/afterbell.js');
  writeTool(join(tools, 'npx'), `shift; exec '${process.execPath}' '${binary}' "$@"`);
  const env = {
    ...seededEnv(),
    ...variables,
    HOME: folder,
    PATH: `${tools}${delimiter}${process.env['PATH']}`,
  };

  return async ({ code }) => {
    let text = code;
    for (const [name, value] of Object.entries(standIns)) text = text.replaceAll(name, value);
    // Variables of one block are there in the next, as in the shell of a reader.
    const script = `. '${kept}'\nset -a\n${text}\nexport -p > '${kept}'\n`;
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (part: Buffer) => (output += part.toString()));
    child.stderr.on('data', (part: Buffer) => (output += part.toString()));
    const [exit] = (await once(child, 'close')) as [number | null];
    return { code: exit ?? -1, output };
  };
}

function writeTool(path: string, line: string): void {
  writeFileSync(path, `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
}
