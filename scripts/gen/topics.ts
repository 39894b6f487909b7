import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATED, type Output } from './output.ts';

const FOLDER = 'service/src/datasets';

/** The topics of all data sets: one import for every name that an endpoint may declare. */
export const topics: Output = {
  path: `${FOLDER}/topics.gen.ts`,
  render: (root) => Promise.resolve(render(root)),
};

function render(root: string): string | null {
  if (!existsSync(join(root, FOLDER))) return null;
  const folders = readdirSync(join(root, FOLDER))
    .filter((name) => existsSync(join(root, FOLDER, name, 'topics.ts')))
    .toSorted();
  const sets = folders.map((folder) => ({
    folder,
    name: folder.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
  }));
  return [
    GENERATED,
    "import type { TopicIn } from './topic.ts';",
    ...sets.map(({ folder, name }) => `import { topics as ${name} } from './${folder}/topics.ts';`),
    '',
    'export const topics = {',
    ...sets.map(({ name }) => `  ${name},`),
    '};',
    '',
    '/** A reason why cached responses become stale. */',
    'export type Topic = {',
    '  [Name in keyof typeof topics]: TopicIn<(typeof topics)[Name]>;',
    '}[keyof typeof topics];',
    '',
  ].join('\n');
}
