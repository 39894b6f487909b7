import { readdirSync, readFileSync } from 'node:fs';
import { parseInstant } from '../../../src/platform/instant.ts';
import { isJsonObject } from '../../../src/providers/kit/json.ts';
import type { ConformanceFixture } from './conformance.ts';

/** A fixture's `meta.json`: the metadata of a recorded response, and the expected result. */
interface FixtureMeta {
  url: string;
  status: number;
  content_type: string;
  recorded_at: string;
  body_file: string;
  feed: string;
  rows?: number;
  bad?: number;
  refused?: string;
}

/**
 * Loads a provider's `fixtures/`. Each fixture is a folder with `meta.json` and the body.
 * Recordings have the same layout, so the replay command can read fixtures too.
 */
export function loadFixtures(testUrl: string): ConformanceFixture[] {
  const root = new URL('fixtures/', testUrl);
  return readdirSync(root)
    .toSorted()
    .map((name) => loadFixture(root, name));
}

function loadFixture(root: URL, name: string): ConformanceFixture {
  const folder = new URL(`${name}/`, root);
  const meta = readMeta(new URL('meta.json', folder));
  const observedAt = parseInstant(meta.recorded_at);
  if (observedAt === null) throw new Error(`fixture ${name} has no recorded_at`);
  return {
    name,
    feed: meta.feed,
    raw: {
      url: meta.url,
      status: meta.status,
      contentType: meta.content_type,
      observedAt,
      text: readFileSync(new URL(meta.body_file, folder), 'utf8'),
    },
    ...(meta.rows !== undefined && { rowsInSource: meta.rows }),
    ...(meta.bad !== undefined && { badRows: meta.bad }),
    ...(meta.refused !== undefined && { rejectionReason: meta.refused }),
  };
}

function readMeta(file: URL): FixtureMeta {
  const meta: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (isFixtureMeta(meta)) return meta;
  throw new Error(`${file.pathname} is not fixture metadata`);
}

function isFixtureMeta(meta: unknown): meta is FixtureMeta {
  if (!isJsonObject(meta) || typeof meta['status'] !== 'number') return false;
  const texts = ['url', 'content_type', 'recorded_at', 'body_file', 'feed'];
  return texts.every((key) => typeof meta[key] === 'string');
}
