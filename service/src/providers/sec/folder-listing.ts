import { isJsonObject } from '../kit/json.ts';
import { readHtmlBlocks } from './html/html-blocks.ts';

/** A file in a folder of the archive. The time has no zone and is New York time. */
interface ListedFile {
  name: string;
  /** As the page writes it, `644 KB`; null if it names none. */
  size: string | null;
  lastModified: string | null;
}

/** Reads the page of a folder, such as a quarter of daily indexes. */
export function readFolderListing(html: string): ListedFile[] {
  return readHtmlBlocks(html)
    .flatMap((block) => (block.kind === 'table' ? [block.rows] : []))
    .filter(([head]) => head?.[0]?.text === 'Name')
    .flatMap((rows) => rows.slice(1))
    .flatMap((cells) => {
      const [name = '', size = '', lastModified = ''] = cells.map(({ text }) => text);
      return name === '' ? [] : [{ name, size: size || null, lastModified: lastModified || null }];
    });
}

/** Reads `index.json` of a filing's folder. It names no form types. Null for another object. */
export function readFolderJson(text: string): ListedFile[] | null {
  const directory = parse(text)?.['directory'];
  const items = isJsonObject(directory) ? directory['item'] : null;
  if (!Array.isArray(items)) return null;
  return items.filter(isJsonObject).flatMap((item) => {
    const name = textOf(item['name']);
    if (name === null) return [];
    return [{ name, size: textOf(item['size']), lastModified: textOf(item['last-modified']) }];
  });
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
