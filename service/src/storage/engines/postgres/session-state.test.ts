import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Statements whose effect outlasts their transaction on the same connection. */
const SESSION_STATEMENTS =
  /\b(?:pg_(?:try_)?advisory_lock(?:_shared)?\(|create (?:local |global )?temp|set session |with hold\b)|['"`;] *listen /;

/** The only file that needs a connection of its own, and has one. */
const LISTENS = 'storage/engines/postgres/notifications.ts';

function isShipped(file: string): boolean {
  return file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== LISTENS;
}

test('no statement depends on a connection, which a pooler may give to another client afterwards', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const files = (readdirSync(root, { recursive: true }) as string[]).filter(isShipped);
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8').replace(/^\s*(?:\*|\/\/).*$/gm, '');
    const match = SESSION_STATEMENTS.exec(text);
    return match === null ? [] : [`${file}: ${match[0]}`];
  });
  expect(found).toEqual([]);
});
