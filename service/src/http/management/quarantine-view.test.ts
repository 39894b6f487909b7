import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { renderQuarantined } from './quarantine-view.ts';

const SRC = fileURLToPath(new URL('../..', import.meta.url));

function explanationOf(reason: string): string {
  return renderQuarantined({
    id: { kind: 'record', number: 1 },
    dataset: 'earnings',
    provider: 'files',
    feed: 'earnings',
    entityKey: null,
    reason,
    detail: '',
    at: 0,
    decision: null,
  }).explanation;
}

/**
 * Returns the quarantine reasons for rows that were parsed, from the matching source files. Unparsable
 * rows are left out, because they all share one explanation.
 */
function reasonsIn(pattern: string): string[] {
  const files = globSync(pattern, { cwd: SRC }).filter((path) => !path.endsWith('.test.ts'));
  const texts = files.map((path) => readFileSync(`${SRC}/${path}`, 'utf8'));
  return texts.flatMap((text) =>
    [...text.matchAll(/\breason: '([^']+)'/g)].map(([, it = '']) => it),
  );
}

test('never explains that a parsed row is unparsable', () => {
  const unreadable = explanationOf('bad-number');
  const reasons = [...reasonsIn('datasets/**/*.ts'), 'answer-cut-off'];
  expect(reasons.length).toBeGreaterThan(10);
  expect(reasons.filter((reason) => explanationOf(reason) === unreadable)).toEqual([]);
});
