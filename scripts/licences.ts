import { readFileSync } from 'node:fs';

// node scripts/licences.ts fails if a shipped package has a disallowed license
//
// Reads only package-lock.json, so it needs no network and covers the packages for every platform.

/**
 * SPDX identifiers of licenses that require only a notice, and do not require us to publish our
 * source.
 */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  // Used only by fonts.
  'OFL-1.1',
  'Unlicense',
]);

export interface LockFile {
  packages: Record<string, { license?: string; dev?: boolean; link?: boolean; version?: string }>;
}

if (import.meta.main) {
  const file = new URL('../package-lock.json', import.meta.url);
  const problems = refusedLicences(JSON.parse(readFileSync(file, 'utf8')) as LockFile);
  for (const line of problems) console.error(line);
  if (problems.length > 0) process.exitCode = 1;
}

/** Returns a line for each shipped package with a disallowed or missing license. */
export function refusedLicences({ packages }: LockFile): string[] {
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .filter(([, { license }]) => license === undefined || !isAllowed(license))
    .map(([path, { version, license }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return `${name} ${version}: ${license ?? 'no licence is stated'}`;
    });
}

/**
 * Returns true if the license expression is allowed. `A OR B` requires one allowed license, `A AND
 * B` requires both. Brackets may only enclose the whole expression.
 */
export function isAllowed(expression: string): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  if (/[()]/.test(plain)) return false;
  return plain
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((identifier) => ALLOWED.has(identifier.trim())));
}
