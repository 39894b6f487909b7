import { readFileSync } from 'node:fs';

const TREE = new URL('../../src/routes.gen.ts', import.meta.url);

/** Screens in front of the door, which need nobody signed in. */
const DOOR = ['/sign-in', '/sign-up', '/set-up', '/invitation', '/password-reset'];

/** Every address pattern of the dashboard, as the route files make it: `/symbols/$symbol`. */
export function screens(): { inside: string[]; door: string[] } {
  const text = readFileSync(TREE, 'utf8');
  const union = /fullPaths:\s*([^}]+?)\s+fileRoutesByTo/.exec(text)?.[1] ?? '';
  const paths = [...union.matchAll(/'([^']+)'/g)].map(([, path = '']) => trimmed(path));
  const all = [...new Set(paths)];
  return { inside: all.filter((path) => !DOOR.includes(path)), door: DOOR };
}

/** The pattern with real values; throws when one is not known, so that no screen is left out. */
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
