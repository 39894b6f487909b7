import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from './afterbell-process.ts';

/** A folder that links to the wanted recordings of each provider; gone when the test is over. */
export function linksTo(root: string, wanted: Readonly<Record<string, RegExp>>): string {
  const folder = scratchFolder();
  for (const [provider, shape] of Object.entries(wanted)) {
    for (const name of readdirSync(join(root, provider)).filter((each) => shape.test(each))) {
      symlinkSync(join(root, provider, name), join(folder, `${provider}-${name}`));
    }
  }
  return folder;
}
