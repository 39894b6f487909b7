import { readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Encoding } from '../response/etag.ts';

/**
 * The files of the built dashboard, kept in memory. They are read without the thread pool, in which
 * passwords are hashed.
 */
export interface BuiltFiles {
  /** Returns the HTML page with its placeholders, or null if the dashboard has not been built. */
  page(): string | null;
  /** Returns a file by its hashed name, or null if it does not exist. */
  asset(name: string): Promise<Asset | null>;
}

export interface Asset {
  mediaType: string;
  bodies: ReadonlyMap<Encoding, Buffer>;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};
/** Font files are already compressed. */
const INCOMPRESSIBLE_EXTENSIONS = new Set(['.woff2']);
/** Matches the file names that the build generates. The pattern rules out path traversal. */
const FILE_NAME = /^[\w$-][\w$.-]*$/;

export function builtFiles(folder: string): BuiltFiles {
  const assets = new Map<string, Promise<Asset | null>>();
  const pagePath = join(folder, 'index.html');
  let page: { text: string; version: string } | null = null;

  return {
    // A new build refers to different files.
    page() {
      const stats = statSync(pagePath, { throwIfNoEntry: false });
      if (stats === undefined) return null;
      const version = `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
      if (page?.version !== version) {
        const text = readOrNull(pagePath)?.toString('utf8');
        page = text === undefined ? null : { text, version };
      }
      return page?.text ?? null;
    },
    async asset(name) {
      if (!FILE_NAME.test(name)) return null;
      const pending = assets.get(name) ?? readAsset(join(folder, 'assets', name));
      assets.set(name, pending);
      const asset = await pending;
      if (asset === null) assets.delete(name);
      return asset;
    },
  };
}

async function readAsset(path: string): Promise<Asset | null> {
  const extension = extname(path);
  const mediaType = MEDIA_TYPES[extension];
  const content = mediaType === undefined ? null : readOrNull(path);
  if (mediaType === undefined || content === null) return null;
  if (INCOMPRESSIBLE_EXTENSIONS.has(extension))
    return { mediaType, bodies: new Map([['identity', content]]) };
  const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content),
  ]);
  return {
    mediaType,
    bodies: new Map([
      ['identity', content],
      ['br', br],
      ['gzip', gz],
    ]),
  };
}

function readOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
