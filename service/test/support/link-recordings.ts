import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from './afterbell-process.ts';

/**
 * Creates a folder with links to the matching recordings from each provider. It is removed when the
 * test finishes.
 */
export function linkRecordings(root: string, patterns: Readonly<Record<string, RegExp>>): string {
  const folder = scratchFolder();
  for (const [provider, shape] of Object.entries(patterns)) {
    for (const name of readdirSync(join(root, provider)).filter((entry) => shape.test(entry))) {
      symlinkSync(join(root, provider, name), join(folder, `${provider}-${name}`));
    }
  }
  return folder;
}
