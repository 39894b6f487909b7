import { readFileSync } from 'node:fs';

const TREE = new URL('../../src/routes.gen.ts', import.meta.url);

/** Pages that don't need a session. */
const DOOR = ['/sign-in', '/sign-up', '/set-up', '/invitation', '/password-reset'];

/** Returns all route patterns in the dashboard, such as `/symbols/$symbol`. */
export function screens(): { inside: string[]; door: string[] } {
  const text = readFileSync(TREE, 'utf8');
  const union = /fullPaths:\s*([^}]+?)\s+fileRoutesByTo/.exec(text)?.[1] ?? '';
  const paths = [...union.matchAll(/'([^']+)'/g)].map(([, path = '']) => trimmed(path));
  const all = [...new Set(paths)];
  return { inside: all.filter((path) => !DOOR.includes(path)), door: DOOR };
}

/**
 * Returns the pattern with its parameters filled in. Throws if a value is missing, so that no page
 * is skipped.
 */
export function filled(pattern: string, values: Readonly<Record<string, string>>): string {
  return pattern.replaceAll(/\$(\w+)/g, (_all, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for $${name} of ${pattern}`);
    return encodeURIComponent(value);
  });
}

function trimmed(path: string): string {
  return path.length > 1 ? path.replace(/\/$/, '') : path;
}
