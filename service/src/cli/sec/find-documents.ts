import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { compareText } from '../../platform/compare.ts';
import { decodeDocument } from '../../platform/decode-document.ts';
import type { EdgarDocument } from '../../providers/sec/read-document.ts';
import { CliError } from '../command.ts';

/** A document in a file, or the reason why it cannot be read. */
export type FileDocument = { path: string } & (EdgarDocument | { reason: string });

/** Decompressed. A longer body is reported, not read. */
const BYTES_MAX = 256 * 1024 * 1024;
const META = 'meta.json';
const DOCUMENT = /\.(?:html?|txt|xml|atom|idx|json|sgml)(?:\.gz)?$/i;

/**
 * Yields the documents of a path, in order of their names: a file, a recording (a folder with
 * `meta.json` and a body), or a folder with any of these below it. In a folder that has
 * recordings, other files are skipped. Throws `CliError` for a path that does not exist, or that
 * has no documents.
 */
export async function* findDocuments(path: string): AsyncGenerator<FileDocument> {
  const facts = await stat(path).catch(() => null);
  if (facts === null) throw new CliError(`${path} does not exist`);
  const paths = facts.isDirectory() ? await documentsBelow(path) : [path];
  if (paths.length === 0) throw new CliError(`${path} has no documents`);
  for (const each of paths) yield await readFileDocument(each);
}

async function documentsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted(compareText);
  const recordings = files.filter((file) => basename(file) === META).map((file) => dirname(file));
  return recordings.length > 0 ? recordings : files.filter((file) => DOCUMENT.test(file));
}

/** Reads a file, or a recording by its folder or by either of its files. */
async function readFileDocument(path: string): Promise<FileDocument> {
  const isFolder = (await stat(path)).isDirectory();
  const folder = isFolder ? path : dirname(path);
  const isPart = isFolder || /^(?:meta\.json|body(?:\.gz)?)$/.test(basename(path));
  const meta = isPart ? await readMeta(folder) : {};
  if (meta === null) return { path, reason: 'bad-meta' };
  const { url = '', status = 200, body = basename(path) } = meta;
  try {
    const bytes = await readFile(join(folder, body));
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const unpacked = isPacked ? gunzipSync(bytes, { maxOutputLength: BYTES_MAX }) : bytes;
    return { path, url, status, text: decodeDocument(unpacked) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    return { path, reason: `unreadable-body: ${code}` };
  }
}

interface Meta {
  url?: string;
  status?: number;
  body?: string;
}

/** Returns null if the file is damaged, and an empty object if there is none. */
async function readMeta(folder: string): Promise<Meta | null> {
  const json = await readFile(join(folder, META), 'utf8').catch(() => null);
  if (json === null) return {};
  try {
    const { url, status, body_file: body } = JSON.parse(json) as Record<string, unknown>;
    // The body is next to its description. A path out of the folder could be any file.
    if (typeof body !== 'string' || basename(body) !== body) return null;
    return {
      body,
      ...(typeof url === 'string' ? { url } : {}),
      ...(typeof status === 'number' ? { status } : {}),
    };
  } catch {
    return null;
  }
}
