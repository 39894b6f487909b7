import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { type FakeClock, fakeClock } from '../../../test/support/fake-clock.ts';
import { keyRecordOf } from '../../../test/support/key-record.ts';
import { memoryLog } from '../../../test/support/logs.ts';
import type { ApiKey } from '../../accounts/keys/api-key.ts';
import { fixedApiKeyCache } from '../../accounts/keys/api-key-cache.ts';
import { generateKey } from '../../accounts/keys/key-format.ts';
import { writeChanges } from '../../datasets/changes/store.ts';
import type { Change } from '../../datasets/dataset.ts';
import { endpoint as changes } from '../../endpoints/changes.ts';
import { seededRandom } from '../../platform/random.ts';
import type { Db, Row, SqlValue } from '../../storage/db.ts';
import { createReadApi, type ReadApi } from '../read-api.ts';
import { ResponseCache } from '../response-cache.ts';
import type { HttpResponse, StreamReader } from '../response/http-response.ts';
import { ChangeStreams } from './change-streams.ts';

const NOW = Date.parse('2026-11-20T15:00:00Z');
const KEY = generateKey('test', seededRandom(5));
const PLAN = { name: 'pro', perMinute: 300, perDay: null, perMonth: null, historyMonths: null };
const PATH = '/v1/changes/stream';

onEachEngine((db) => {
  test('sends every change once, in order, through restarts, dropped connections and slow readers', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ commit: fc.array(fc.nat(5), { maxLength: 6 }) }) },
      fc.constantFrom('drop', 'restart', 'block', 'drain', 'wait', 'lose a wake-up'),
    );
    const filter = fc.constantFrom('', 'symbols=NRTH,VLY', 'dataset=earnings', 'symbols=OLDN');
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 4, maxLength: 25 }),
        filter,
        async (steps, query) => {
          const world = openWorld(db());
          const start = await newestId(db());
          const client = world.connect(`${query}&since=${start}`);
          for (const one of steps) {
            if (typeof one === 'object') await world.commit(one.commit.map(changeOf));
            else if (one === 'drop') await client.reconnect();
            else if (one === 'restart') await world.restart();
            else if (one === 'block') client.block();
            else if (one === 'drain') client.drain();
            else if (one === 'wait') await world.wait(2_000);
            else await world.commit([changeOf(0)], { isAnnounced: false });
          }
          client.drain();
          await client.reconnect();
          await world.settle();
          expect(client.rows()).toEqual(await world.list(`${query}&since=${start}`));
          world.streams().close();
        },
      ),
      { numRuns: db().engine === 'pglite' ? 40 : 15 },
    );
  });

  test('starts with the next change, tells its position at once, and keeps it current without events', async () => {
    const world = openWorld(db());
    await world.commit([changeOf(0)]);
    const client = world.connect('symbols=VLY');
    await world.settle();
    const start = await newestId(db());
    expect(client.text()).toBe(`retry: 3000\n\nid: ${start}\n\n`);
    await world.commit([changeOf(0)]);
    await world.clock.advance(16_000);
    expect(client.text()).toContain(`\n\nid: ${await newestId(db())}\n\n`);
    await world.clock.advance(16_000);
    expect(client.text().endsWith('\n\n:\n\n')).toBe(true);
    expect(client.rows()).toEqual([]);
  });

  test('stops writing to a client that does not read, and resumes where it stopped', async () => {
    const world = openWorld(db());
    const client = world.connect('');
    await world.settle();
    client.block();
    await world.commit([changeOf(0)]);
    const size = client.text().length;
    for (let i = 0; i < 5; i += 1)
      await world.commit(Array.from({ length: 100 }, () => changeOf(1)));
    await world.clock.advance(60_000);
    expect(client.text().length).toBe(size);
    client.drain();
    await world.settle();
    expect(client.rows()).toHaveLength(501);
  });

  test('omits reports before the history of the plan, as the list does', async () => {
    const world = openWorld(db(), { plan: { ...PLAN, historyMonths: 12 } });
    const client = world.connect('');
    await world.settle();
    const since = await newestId(db());
    const dates = ['2026-11-21', '2024-01-02', null];
    await world.commit(
      dates.map((date) => ({ ...changeOf(0), fields: { date: { from: null, to: date } } })),
    );
    expect(client.rows()).toHaveLength(1);
    expect(client.rows()).toEqual(await world.list(`since=${since}`));
  });

  test('ends a stream within a second of a revocation, a suspension or a smaller plan', async () => {
    for (const change of [
      { revokedAt: NOW },
      { suspendedAt: NOW },
      { disabledAt: NOW },
      { expiresAt: NOW },
      { scopes: ['manage'] },
      { allowedCidrs: ['198.51.100.0/24'] },
      { plan: { ...PLAN, perMinute: 0 } },
    ] as const satisfies Partial<ApiKey>[]) {
      const world = openWorld(db());
      const client = world.connect('');
      await world.clock.advance(3_000);
      expect(client.isEnded()).toBe(false);
      world.changeKey(change);
      await world.clock.advance(1_000);
      expect(client.isEnded(), JSON.stringify(change)).toBe(true);
      expect(world.streams().counts().open).toBe(0);
    }
  });
});

onEachEngine((db) => {
  test('counts a connection once, and refuses a wrong position and more streams than the plan allows', async () => {
    const costs: string[] = [];
    const world = openWorld(db(), { plan: { ...PLAN, perMinute: 1 }, costs });
    const client = world.connect('');
    await world.settle();
    await world.commit([changeOf(0)]);
    expect(costs).toEqual(['all']);
    const refused = await world.request('');
    expect([refused.status, JSON.parse(String(refused.body))]).toMatchObject([
      503,
      { code: 'temporary-reduced-capacity', detail: expect.stringContaining('is 1 per customer') },
    ]);
    await client.drop();
    const invalid = await world.request('', { 'last-event-id': 'chg_1' });
    expect([invalid.status, JSON.parse(String(invalid.body))]).toMatchObject([
      400,
      { code: 'invalid-parameter', parameter: 'Last-Event-ID' },
    ]);
    const head = await world.request('', {}, 'HEAD');
    expect([head.status, head.openStream, costs]).toEqual([
      200,
      undefined,
      ['all', 'minute', 'minute', 'all'],
    ]);
    expect(await world.request('', { accept: 'application/json' })).toMatchObject({ status: 406 });
  });
});

const DATASETS = ['earnings', 'dividends', 'economic-events'];
const SYMBOLS = ['NRTH', 'VLY', 'OTTR'];

function changeOf(kind: number): Change {
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

async function newestId(db: Db): Promise<string> {
  const rows = await db.query<{ id: number }>(
    'select coalesce(max(id), 0) as id from change_record',
  );
  return `chg_${String(rows[0]?.id ?? 0).padStart(12, '0')}`;
}

/** A database that knows which reads are under way, so that a test can wait for them. */
function watched(db: Db): { reads: Pick<Db, 'query'>; finished: () => Promise<void> } {
  let running = 0;
  async function query<R extends Row>(text: string, values?: readonly SqlValue[]): Promise<R[]> {
    running += 1;
    try {
      return await db.query<R>(text, values);
    } finally {
      running -= 1;
    }
  }
  async function finished(): Promise<void> {
    while (running > 0) await setImmediate();
  }
  return { reads: { query }, finished };
}

interface WorldOptions {
  plan?: ApiKey['plan'];
  costs?: string[];
}

/** A read API with streams on a store, which can be restarted, and clients of it. */
function openWorld(db: Db, { plan = PLAN, costs = [] }: WorldOptions = {}) {
  const clock = fakeClock(NOW);
  const { reads, finished } = watched(db);
  let key: ApiKey | null = keyRecordOf(KEY, { createdAt: NOW - 1_000, plan });
  const keys = {
    find: (text: string) => fixedApiKeyCache([record()]).find(text),
    current: () => key,
  };
  let service = start();

  function record(): ApiKey {
    return key ?? keyRecordOf(KEY);
  }

  function start(): { streams: ChangeStreams; api: ReadApi } {
    const log = memoryLog();
    const shared = { db: reads, clock, log, keys, dataSource: 'synthetic' } as const;
    const streams = new ChangeStreams(shared);
    const api = createReadApi({
      ...shared,
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
    settle,
    streams: () => service.streams,
    request: stream,
    connect: (query: string) => createClient((headers) => stream(query, headers), clock),
    changeKey(change: Partial<ApiKey>) {
      key = 'revokedAt' in change ? null : { ...record(), ...change };
    },
    async commit(rows: readonly Change[], { isAnnounced = true } = {}) {
      await db.transaction((tx) => writeChanges(tx, rows, new Set(), clock.now()));
      if (isAnnounced) service.streams.wake();
      await settle();
    },
    async restart() {
      service.streams.close();
      service = start();
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
  let reader: StreamReader | null = null;
  let connection = 0;
  let isBlocked = false;
  let isEnded = false;

  async function connect(): Promise<void> {
    const own = (connection += 1);
    isEnded = false;
    isBlocked = false;
    const headers: Record<string, string> = lastId === '' ? {} : { 'last-event-id': lastId };
    const { openStream } = await open(headers);
    if (openStream === undefined) throw new Error('the stream was refused');
    reader = openStream({
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
    rows: (): unknown[] =>
      [...received.join('').matchAll(/^data: (.*)$/gm)].map(
        ([, row = '']) => JSON.parse(row) as unknown,
      ),
    isEnded: () => isEnded,
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
