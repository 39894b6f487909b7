import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Imports a module of the service at call time, so that newly written registries are included.
 * Returns null if the file does not exist.
 */
export async function loadModule<T>(root: string, path: string): Promise<T | null> {
  const file = join(root, path);
  if (!existsSync(file)) return null;
  const loaded: unknown = await import(pathToFileURL(file).href);
  return loaded as T;
}
