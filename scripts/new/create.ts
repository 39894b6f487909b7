import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { endpointSkeleton } from './endpoint.ts';
import { spellNames } from './names.ts';
import { providerSkeleton } from './provider.ts';
import { templateSkeleton } from './template.ts';

const SKELETONS = [providerSkeleton, endpointSkeleton, templateSkeleton];

export const KINDS: readonly string[] = SKELETONS.map((skeleton) => skeleton.kind);

export type Created = { written: string[]; next: readonly string[] } | { problem: string };

/** Writes the skeleton of a plug-in to folders under `root`. Never overwrites a file. */
export function createPlugin(options: { root: string; kind: string; name: string }): Created {
  const skeleton = SKELETONS.find((candidate) => candidate.kind === options.kind);
  if (skeleton === undefined) {
    return { problem: `${options.kind} is not one of ${KINDS.join(', ')}` };
  }
  const names = spellNames(options.name);
  if (names === null) {
    return { problem: `${options.name} is not in kebab case, like earnings-movers` };
  }
  const files = skeleton.files(names);
  const existing = [...files.keys()].filter((path) => existsSync(join(options.root, path)));
  if (existing.length > 0) return { problem: `${existing.join(', ')} already exists` };
  for (const [path, text] of files) {
    mkdirSync(dirname(join(options.root, path)), { recursive: true });
    writeFileSync(join(options.root, path), text);
  }
  return { written: [...files.keys()], next: skeleton.next(names) };
}
