import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

/**
 * Compares the imports of a package's JavaScript with its `dependencies`. Within the repository, an
 * undeclared package may still be found because something else installs it. A package that nothing
 * imports would be downloaded by every user.
 */
export function findDependencyProblems(folder: string): string[] {
  const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  const imported = new Set<string>();
  const problems: string[] = [];
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    // The assets of the dashboard are bundled.
    if (!path.endsWith('.js') || path.startsWith('dashboard')) continue;
    for (const name of importedPackages(path, readFileSync(join(folder, path), 'utf8'))) {
      imported.add(name);
      if (!(name in dependencies)) problems.push(`${path} imports ${name}, not a dependency`);
    }
  }
  for (const name of Object.keys(dependencies)) {
    if (!imported.has(name)) problems.push(`nothing imports the dependency ${name}`);
  }
  return problems;
}

function importedPackages(path: string, text: string): string[] {
  const { module } = parseSync(path, text);
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
      text.slice(start + 1, end - 1),
    ),
  ];
  return specifiers.filter(isPackage).map(nameOf);
}

function isPackage(specifier: string): boolean {
  return !/^(\.|node:)/.test(specifier) && !builtinModules.includes(specifier);
}

/** Returns `@scope/name` of `@scope/name/path`, and `name` of `name/path`. */
function nameOf(specifier: string): string {
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}
