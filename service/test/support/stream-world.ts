import { setImmediate } from 'node:timers/promises';
import type { ApiKey } from '../../src/accounts/keys/api-key.ts';
import { type ApiKeyCache, fixedApiKeyCache } from '../../src/accounts/keys/api-key-cache.ts';
import { generateKey } from '../../src/accounts/keys/key-format.ts';
import { writeChanges } from '../../src/datasets/changes/store.ts';
import type { Change } from '../../src/datasets/dataset.ts';
import { endpoint as changes } from '../../src/endpoints/changes.ts';
import { createReadApi, type ReadApi } from '../../src/http/read-api.ts';
import { ResponseCache } from '../../src/http/response-cache.ts';
import type { HttpResponse, StreamReader } from '../../src/http/response/http-response.ts';
import { ChangeStreams } from '../../src/http/stream/change-streams.ts';
import { seededRandom } from '../../src/platform/random.ts';
import type { Db, Row, SqlValue } from '../../src/storage/db.ts';
import { type FakeClock, fakeClock } from './fake-clock.ts';
import { keyRecordOf } from './key-record.ts';
import { memoryLog } from './logs.ts';

export const NOW = Date.parse('2026-11-20T15:00:00Z');
const KEY = generateKey('test', seededRandom(5));
export const PLAN = {
  name: 'pro',
  perMinute: 300,
  perDay: null,
  perMonth: null,
  historyMonths: null,
};
const PATH = '/v1/changes/stream';

const DATASETS = ['earnings', 'dividends', 'economic-events'];
const SYMBOLS = ['NRTH', 'VLY', 'OTTR'];

export function changeOf(kind: number): Change {
  const symbol = SYMBOLS[kind % 3] ?? '';
  // One of the kinds has only a hidden field, and one gives up a symbol.
  const isRenamed = kind === 4;
  return {
    dataset: DATASETS[Math.floor(kind / 2)] ?? 'earnings',
    entityId: `row_${kind}`,
    symbol,
    kind: 'changed',
    changedFields: kind === 3 ? ['markerAhead'] : isRenamed ? ['symbol'] : ['date'],
    fields: isRenamed
      ? { symbol: { from: 'OLDN', to: symbol } }
      : { date: { from: '2026-11-20', to: '2026-11-21' } },
    observedAt: NOW,
  };
}

export async function newestId(db: Db): Promise<string> {
  const rows = await db.query<{ id: number }>(
    'select coalesce(max(id), 0) as id from change_record',
  );
  return `chg_${String(rows[0]?.id ?? 0).padStart(12, '0')}`;
}

/** A database that knows which reads are under way, so that a test can wait for them. */
function watched(db: Db) {
  let running = 0;
  let attempts = 0;
  let isDown = false;
  async function query<R extends Row>(text: string, values?: readonly SqlValue[]): Promise<R[]> {
    running += 1;
    attempts += 1;
    try {
      if (isDown) throw new Error('the store is down');
      return await db.query<R>(text, values);
    } finally {
      running -= 1;
    }
  }
  async function finished(): Promise<void> {
    while (running > 0) await setImmediate();
  }
  return {
    reads: { query },
    finished,
    attempts: () => attempts,
    setDown: (down: boolean) => void (isDown = down),
  };
}

interface StreamWorldOptions {
  plan?: ApiKey['plan'];
  costs?: string[];
}

function changeableKey(plan: ApiKey['plan']) {
  let key: ApiKey | null = keyRecordOf(KEY, { createdAt: NOW - 1_000, plan });
  const record = () => key ?? keyRecordOf(KEY);
  return {
    keys: {
      find: (text: string) => fixedApiKeyCache([record()]).find(text),
      current: () => key,
    },
    changeKey(change: Partial<ApiKey>): void {
      key = 'revokedAt' in change ? null : { ...record(), ...change };
    },
  };
}

type ServiceParts = ConstructorParameters<typeof ChangeStreams>[0] & { keys: ApiKeyCache };

function startService(
  parts: ServiceParts,
  costs: string[],
): { streams: ChangeStreams; api: ReadApi } {
  const streams = new ChangeStreams(parts);
  const api = createReadApi({
    ...parts,
    endpoints: [changes],
    random: seededRandom(1),
    cache: new ResponseCache({ sizeMaxBytes: 1_000_000 }),
    streams,
    checkQuota({ cost }) {
      costs.push(cost);
      return { kind: 'admitted', headers: [], refund: () => undefined };
    },
  });
  return { streams, api };
}

/** A read API with streams on a store, which can be restarted, and clients of it. */
export function openStreamWorld(db: Db, { plan = PLAN, costs = [] }: StreamWorldOptions = {}) {
  const clock = fakeClock(NOW);
  const { reads, finished, attempts, setDown } = watched(db);
  const log = memoryLog();
  const { keys, changeKey } = changeableKey(plan);
  const parts = { db: reads, clock, log, keys, dataSource: 'synthetic' } as const;
  let service = startService(parts, costs);

  async function request(
    url: string,
    headers: Record<string, string> = {},
    method = 'GET',
  ): Promise<HttpResponse> {
    const sent = { ...headers, 'x-api-key': KEY };
    return service.api.handle({ method, url, headers: sent, remoteAddress: '127.0.0.1' });
  }

  const stream = (query: string, headers = {}, method = 'GET') =>
    request(`${PATH}?${query}`, headers, method);

  /** Lets the reads finish that are under way, and those that follow them. */
  async function settle(): Promise<void> {
    for (let i = 0; i < 8; i += 1) {
      await clock.advance(30);
      await finished();
    }
  }

  return {
    clock,
    log,
    setDown,
    readAttempts: attempts,
    settle,
    streams: () => service.streams,
    request: stream,
    connect: (query: string) => createClient((headers) => stream(query, headers), clock),
    changeKey,
    async commit(rows: readonly Change[], { isAnnounced = true } = {}) {
      await db.transaction((tx) => writeChanges(tx, rows, new Set(), clock.now()));
      if (isAnnounced) service.streams.wake();
      await settle();
    },
    async restart() {
      service.streams.close();
      service = startService(parts, costs);
      await clock.advance(1_000);
      await settle();
    },
    async wait(durationMs: number) {
      await clock.advance(durationMs);
      await settle();
    },
    async list(query: string): Promise<unknown[]> {
      const { body } = await request(`/v1/changes?${query}`);
      return JSON.parse(String(body)) as unknown[];
    },
  };
}

/** A client that reconnects with the id of the last event, as browsers do. */
function createClient(
  open: (headers: Record<string, string>) => Promise<HttpResponse>,
  clock: FakeClock,
) {
  const received: string[] = [];
  let lastId = '';
  let reader: StreamReader | undefined;
  let connection = 0;
  let isBlocked = false;
  let isEnded = false;
  let refusal: number | null = null;

  async function connect(): Promise<void> {
    const own = (connection += 1);
    isBlocked = false;
    const headers: Record<string, string> = lastId === '' ? {} : { 'last-event-id': lastId };
    const { openStream, status } = await open(headers);
    isEnded = openStream === undefined;
    if (isEnded) refusal = status;
    reader = openStream?.({
      write(chunk) {
        if (own !== connection || isEnded) throw new Error('written to a closed connection');
        received.push(chunk.toString());
        for (const [, id = ''] of chunk.toString().matchAll(/^id: (.*)$/gm)) lastId = id;
        return !isBlocked;
      },
      end() {
        isEnded = true;
        // A restarted service is reached at the next attempt.
        void clock.sleep(500).then(connect, () => undefined);
      },
    });
  }
  const first = connect();
  return {
    text: () => received.join(''),
    rows: () => rowsIn(received.join('')),
    isEnded: () => isEnded,
    /** Status of the response that refused to open the stream again. */
    refusal: () => refusal,
    block: () => void (isBlocked = true),
    drain() {
      isBlocked = false;
      if (!isEnded) reader?.onDrained();
    },
    async drop() {
      await first;
      connection += 1;
      reader?.onClosed();
    },
    async reconnect() {
      await first;
      if (isEnded) return;
      reader?.onClosed();
      await connect();
    },
  };
}

function rowsIn(events: string): unknown[] {
  return [...events.matchAll(/^data: (.*)$/gm)].map(([, row = '']) => JSON.parse(row) as unknown);
}
