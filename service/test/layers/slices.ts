import type { SourceFile } from './source-files.ts';

/**
 * Layer and plug-in of a file. Files in a plug-in layer outside all plug-ins (contracts, kits,
 * schema pieces) are shared by its plug-ins.
 */
export interface Place {
  layer: Layer;
  plugin: string | null;
}

export type Layer = keyof typeof LEVELS;

/** An import may only lead to a lower layer or stay within its layer. */
export const LEVELS = {
  platform: 0,
  domain: 1,
  storage: 2,
  datasets: 3,
  accounts: 3,
  metering: 3,
  // Webhooks are above accounts, because changes to endpoints are recorded in the accounts' audit
  // log.
  webhooks: 4,
  // A changed watchlist changes the webhook subscriptions that follow it.
  watchlists: 5,
  providers: 6,
  endpoints: 6,
  templates: 6,
  config: 7,
  exports: 7,
  http: 7,
  ingest: 7,
  delivery: 7,
  app: 8,
  cli: 9,
} as const;

/**
 * Returns the layer and plug-in of a file, or null if its folder is missing from the table above.
 */
export function placeOf(path: string, files: ReadonlyMap<string, SourceFile>): Place | null {
  const [folder = '', second = ''] = path.split('/');
  if (path.startsWith('webhooks/templates/')) {
    return { layer: 'templates', plugin: exportsPlugin(path, 'template', files) };
  }
  if (!isLayer(folder)) return null;
  if (folder === 'endpoints') {
    return { layer: folder, plugin: exportsPlugin(path, 'endpoint', files) };
  }
  if (folder === 'providers' && second !== 'kit' && path.split('/').length > 2) {
    return { layer: folder, plugin: second };
  }
  return { layer: folder, plugin: null };
}

function isLayer(folder: string): folder is Layer {
  return Object.hasOwn(LEVELS, folder);
}

/**
 * Checks whether a file is a plug-in, which means that it exports one under the name that the
 * layer's registry collects.
 */
function exportsPlugin(
  path: string,
  name: string,
  files: ReadonlyMap<string, SourceFile>,
): string | null {
  const code = files.get(path)?.code ?? '';
  return new RegExp(`^export const ${name}\\b`, 'm').test(code) ? path : null;
}
