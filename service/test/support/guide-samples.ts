import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seededEnv } from './afterbell-process.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A shell block in a document, with the options from the comment in front of it. */
export interface Sample {
  code: string;
  /** Why the sample is not run, or null if it is run. */
  skipReason: string | null;
  /** Expected exit codes. */
  exitCodes: readonly number[];
}

export interface SampledDocument {
  path: string;
  samples: readonly Sample[];
}

/** Returns all user documents that contain samples. */
export function sampledDocuments(): SampledDocument[] {
  const guides = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', ...guides.map((name) => `docs/${name}`)]
    .map((path) => ({ path, samples: samplesOf(readFileSync(join(ROOT, path), 'utf8')) }))
    .filter(({ samples }) => samples.length > 0);
}

/**
 * Returns a document's samples. `<!-- not run: REASON -->` in front of a block excludes it. `<!--
 * exits with 0 or 2: REASON -->` sets its expected exit codes; the default is 0.
 */
export function samplesOf(text: string): Sample[] {
  const shape = /(?:^<!-- ([^\n]*) -->\n\n)?^```sh\n(.*?)^```$/gms;
  return [...text.matchAll(shape)].map(([, remark = '', code = '']) => {
    const skipReason = /^not run: (.+)$/.exec(remark)?.[1] ?? null;
    const codes = /^exits with (\d+(?: or \d+)*): ./.exec(remark)?.[1] ?? '0';
    return { code, skipReason, exitCodes: codes.split(' or ').map(Number) };
  });
}

/**
 * Creates a shell for the samples. `npx afterbell` runs this checkout, and `curl` fails on error
 * responses.
 */
export function sampleShell(options: {
  /** Empty folder in which the samples run. */
  folder: string;
  /** Variables that the documents assume to be set, such as `URL` and `KEY`. */
  variables: Readonly<Record<string, string>>;
  /** Replacements for values that differ for every reader. */
  replacements: Readonly<Record<string, string>>;
}): (sample: Sample) => Promise<{ code: number; output: string }> {
  const { folder, variables, replacements } = options;
  const tools = join(folder, 'tools');
  const variablesFile = join(folder, 'variables.sh');
  mkdirSync(tools);
  writeFileSync(variablesFile, '');
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
    for (const [name, value] of Object.entries(replacements)) text = text.replaceAll(name, value);
    // Variables persist from one block to the next, as in an interactive shell.
    const script = `. '${variablesFile}'\nset -a\n${text}\nexport -p > '${variablesFile}'\n`;
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
