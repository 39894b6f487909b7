import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Output } from './output.ts';

export type Outcome = 'same' | 'written' | 'stale' | 'without source';

/**
 * Renders every output and writes the ones that differ. With `check`, only reports them as stale.
 */
export async function generate(options: {
  root: string;
  outputs: readonly Output[];
  check: boolean;
}): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  for (const output of options.outputs) {
    outcomes.set(output.path, await generateOne(output, options));
  }
  return outcomes;
}

async function generateOne(
  output: Output,
  options: { root: string; check: boolean },
): Promise<Outcome> {
  const text = await output.render(options.root);
  if (text === null) return 'without source';
  const file = join(options.root, output.path);
  if (readText(file) === text) return 'same';
  if (options.check) return 'stale';
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return 'written';
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
