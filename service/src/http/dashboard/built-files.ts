import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Encoding } from '../response/etag.ts';

/** The files of the built dashboard. They are read on request, and immutable files are cached. */
export interface BuiltFiles {
  /** Returns the HTML page with its placeholders, or null if the dashboard has not been built. */
  page(): Promise<string | null>;
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

  return {
    // The page is read on every request, because a new build refers to different files.
    page: async () => (await readOrNull(join(folder, 'index.html')))?.toString('utf8') ?? null,
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
  const content = mediaType === undefined ? null : await readOrNull(path);
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

async function readOrNull(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
