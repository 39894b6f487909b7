import { generateKey } from '../../src/accounts/keys/key-format.ts';
import { fixedApiKeyCache } from '../../src/accounts/keys/api-key-cache.ts';
import { endpoints } from '../../src/endpoints/registry.gen.ts';
import { ResponseCache } from '../../src/http/response-cache.ts';
import { createReadApi } from '../../src/http/read-api.ts';
import { createIngest } from '../../src/ingest/ingest.ts';
import { replayFolder, type ReplayReport } from '../../src/ingest/replay/replay-folder.ts';
import type { ResponseReport } from '../../src/ingest/report.ts';
import { fakeClock } from './fake-clock.ts';
import { memoryLog } from './logs.ts';
import { seededRandom } from '../../src/platform/random.ts';
import { providers } from '../../src/providers/registry.gen.ts';
import type { SourceResponse } from '../../src/providers/provider.ts';
import type { Db } from '../../src/storage/db.ts';
import { keyRecordOf } from './key-record.ts';
import { expectMatchesOpenApi } from './openapi.ts';
import { memoryStore } from './stores.ts';

/** Ingestion and read API in one process, on a fake clock. */
export interface RecordedWorld {
  db: Db;
  ingest(response: SourceResponse): Promise<ResponseReport>;
  replay(folder: string): Promise<ReplayReport>;
  /**
   * Requests a path and returns the response text. Throws unless the status is 200 and a JSON body
   * matches its schema.
   */
  request(path: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * Opens a recorded world on a new in-memory store unless an open store is passed. `close` closes
 * the store in both cases.
 */
export async function openRecordedWorld(now: string, store?: Db): Promise<RecordedWorld> {
  const db = store ?? (await memoryStore());
  const clock = fakeClock(Date.parse(now));
  const random = seededRandom(7);
  const cache = new ResponseCache({ sizeMaxBytes: 10_000_000 });
  const key = generateKey('live', random);
  const readApi = createReadApi({
    endpoints,
    db,
    clock,
    random,
    cache,
    keys: fixedApiKeyCache([keyRecordOf(key)]),
    dataSource: 'recorded',
    log: memoryLog(),
  });
  const ingest = createIngest({
    db,
    clock,
    providers,
    onCommit: (topics) => cache.invalidate(topics),
  });
  return {
    db,
    ingest,
    replay: (folder) => replayFolder({ folder, ingest }),
    async request(path) {
      const headers = { 'x-api-key': key };
      const apiRequest = { method: 'GET', url: path, headers, remoteAddress: '127.0.0.1' };
      const response = await readApi.handle(apiRequest);
      const text = String(response.body);
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
      if (!isTable(path)) expectMatchesOpenApi(endpointOf(path), JSON.parse(text));
      return text;
    },
    close: () => db.close(),
  };
}

function isTable(path: string): boolean {
  return new URL(path, 'http://any').searchParams.get('format') === 'csv';
}

/** Finds the endpoint that serves a path. */
export function endpointOf(path: string): (typeof endpoints)[number] {
  const [plain = ''] = path.split('?');
  const match = endpoints.find((endpoint) => {
    const shape = endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+');
    return new RegExp(`^${shape}$`).test(plain);
  });
  if (match === undefined) throw new Error(`no endpoint serves ${path}`);
  return match;
}

/** Finds placeholders for "unknown" anywhere in a body. None are allowed. */
export function findPlaceholders(body: unknown, path = ''): string[] {
  if (typeof body === 'string') {
    return /^\s*(?:|n\/?a|none|null|undefined|nan|[-–—]+|tb[ad])\s*$/i.test(body)
      ? [`${path}: ${body}`]
      : [];
  }
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) =>
    findPlaceholders(value, `${path}/${name}`),
  );
}
