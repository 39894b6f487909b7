import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { GENERATED, type Output } from './output.ts';

/** A registry of all files in a folder that export a constant with a given name. */
export interface RegistryKind {
  /** Folder of the plug-ins, relative to the root. */
  folder: string;
  /** Name of the constant that each plug-in exports. */
  exported: string;
  type: { name: string; from: string };
  /** Name of the list in the registry. */
  list: string;
  /** `folders`: one folder per plug-in with an index.ts; `files`: one file per plug-in. */
  layout: 'folders' | 'files';
  /**
   * True if each plug-in is loaded by name on demand, since few programs need all plug-ins and
   * together they are large.
   */
  isLazy?: boolean;
}

export const REGISTRIES: readonly RegistryKind[] = [
  {
    folder: 'service/src/providers',
    exported: 'provider',
    type: { name: 'Provider', from: './provider.ts' },
    list: 'providers',
    layout: 'folders',
  },
  {
    folder: 'service/src/datasets',
    exported: 'dataset',
    type: { name: 'Dataset', from: './dataset.ts' },
    list: 'datasets',
    layout: 'folders',
  },
  {
    folder: 'service/src/endpoints',
    exported: 'endpoint',
    type: { name: 'Endpoint', from: './endpoint.ts' },
    list: 'endpoints',
    layout: 'files',
  },
  {
    folder: 'service/src/endpoints/tables',
    exported: 'table',
    type: { name: 'DatasetTable', from: './table.ts' },
    list: 'tables',
    layout: 'files',
  },
  {
    folder: 'service/src/cli/commands',
    exported: 'command',
    type: { name: 'CliCommand', from: '../command.ts' },
    list: 'commands',
    layout: 'files',
    isLazy: true,
  },
  {
    folder: 'service/src/http/management/routes',
    exported: 'group',
    type: { name: 'RouteGroup', from: '../route.ts' },
    list: 'routeGroups',
    layout: 'files',
  },
  {
    folder: 'service/src/webhooks/templates',
    exported: 'template',
    type: { name: 'Template', from: './template.ts' },
    list: 'templates',
    layout: 'files',
  },
];

export function registryOutput(kind: RegistryKind): Output {
  return {
    path: `${kind.folder}/registry.gen.ts`,
    render: (root) => Promise.resolve(renderRegistry(kind, root)),
  };
}

function renderRegistry(kind: RegistryKind, root: string): string | null {
  if (!existsSync(join(root, kind.folder))) return null;
  const modules = findPlugins(kind, root);
  if (kind.isLazy === true) return renderLazy(kind, modules);
  const imports = modules.map(
    (path) => `import { ${kind.exported} as ${aliasOf(path, kind)} } from './${path}';`,
  );
  const items = modules.map((path) => `  ${aliasOf(path, kind)},`);
  return [
    GENERATED,
    `import type { ${kind.type.name} } from '${kind.type.from}';`,
    ...imports,
    '',
    `export const ${kind.list}: readonly ${kind.type.name}[] = [`,
    ...items,
    '];',
    '',
  ].join('\n');
}

function renderLazy(kind: RegistryKind, modules: readonly string[]): string {
  const keyOf = (path: string) => {
    const name = basename(path, '.ts');
    return /^\w+$/.test(name) ? name : `'${name}'`;
  };
  return [
    GENERATED,
    `import type { ${kind.type.name} } from '${kind.type.from}';`,
    '',
    `export const ${kind.list}: Readonly<Record<string, () => Promise<${kind.type.name}>>> = {`,
    ...modules.map(
      (path) => `  ${keyOf(path)}: async () => (await import('./${path}')).${kind.exported},`,
    ),
    '};',
    '',
  ].join('\n');
}

/** Returns module paths relative to the folder, sorted. */
function findPlugins(kind: RegistryKind, root: string): string[] {
  const folder = join(root, kind.folder);
  const declaration = new RegExp(`^export const ${kind.exported}\\b`, 'm');
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() === (kind.layout === 'folders'))
    .map((entry) => (kind.layout === 'folders' ? `${entry.name}/index.ts` : entry.name))
    .filter((path) => path.endsWith('.ts') && !/\.(test|gen)\.ts$/.test(path))
    .filter((path) => existsSync(join(folder, path)))
    .filter((path) => declaration.test(readFileSync(join(folder, path), 'utf8')))
    .toSorted();
}

/**
 * Returns an import alias: `calendar-earnings.ts` among endpoints becomes
 * `calendarEarningsEndpoint`.
 */
function aliasOf(path: string, kind: RegistryKind): string {
  const name = path.endsWith('/index.ts')
    ? path.slice(0, -'/index.ts'.length)
    : basename(path, '.ts');
  const camel = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return camel + kind.exported.charAt(0).toUpperCase() + kind.exported.slice(1);
}
