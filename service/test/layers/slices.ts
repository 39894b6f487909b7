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
  domain: 0.5,
  storage: 1,
  datasets: 2,
  accounts: 2,
  metering: 2,
  // Webhooks are above accounts, because changes to endpoints are recorded in the accounts' audit
  // log.
  webhooks: 2.5,
  // A changed watchlist changes the webhook subscriptions that follow it.
  watchlists: 2.7,
  providers: 3,
  endpoints: 3,
  templates: 3,
  config: 4,
  exports: 4,
  http: 4,
  ingest: 4,
  delivery: 4,
  app: 5,
  cli: 6,
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
