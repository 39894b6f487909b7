import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, expectTypeOf, test } from 'vitest';
import { type Change, createReadClient, type ReadClientOptions, ReadError } from './index.ts';

const LAST = 3;
const idOf = (n: number) => `chg_${String(n).padStart(12, '0')}`;
const ALL = Array.from({ length: LAST }, (_, i) => idOf(i + 1));

/** A stream of all changes after a position, as the service sends it, with a heartbeat. */
function streamAfter(position: number): Buffer {
  const events = ['retry: 1000\n\n', `id: ${idOf(position)}\n\n`];
  for (let n = position + 1; n <= LAST; n += 1) {
    const row = {
      id: idOf(n),
      symbol: 'NRTH',
      fields: { name: { from: null, to: 'Café\u2028北' } },
    };
    events.push(`id: ${row.id}\nevent: change\ndata: ${JSON.stringify(row)}\n\n`, ':\n\n');
  }
  return Buffer.from(events.join(''));
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** Starts a server that answers requests in order, the last answer for all that follow. */
async function serve(...answers: readonly Answer[]) {
  const positions: string[] = [];
  const urls: string[] = [];
  const server = createServer((request, response) => {
    positions.push(String(request.headers['last-event-id'] ?? ''));
    urls.push(request.url ?? '');
    answers[Math.min(urls.length, answers.length) - 1]?.(response, request);
  });
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { baseUrl, positions, urls };
}

/** Sends the stream, and cuts the connection after a number of bytes. */
function stream({ cutAt = Number.POSITIVE_INFINITY, resumes = true } = {}): Answer {
  return (response, request) => {
    const after = resumes ? Number(String(request.headers['last-event-id'] ?? '0').slice(4)) : 0;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(streamAfter(after).subarray(0, cutAt), () => {
      if (Number.isFinite(cutAt)) response.destroy();
    });
  };
}

function refuse(status: number, problem: object, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/problem+json', ...headers });
    response.end(JSON.stringify({ detail: 'so', ...problem }));
  };
}

function clientOf(baseUrl: string, options: Partial<ReadClientOptions> = {}) {
  const waited: number[] = [];
  const client = createReadClient({
    baseUrl,
    apiKey: 'eds_test_made_up',
    wait: (milliseconds) => Promise.resolve(void waited.push(milliseconds)),
    ...options,
  });
  return { client, waited };
}

async function follow(changes: AsyncIterable<Change>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of changes) {
    ids.push(id);
    if (id === idOf(LAST)) break;
  }
  return ids;
}

test.each([
  ['continues after the last id', true],
  ['ignores the last id and repeats changes', false],
])(
  'yields each change once, in order, wherever a server that %s cuts the connection',
  async (_, resumes) => {
    const { length } = streamAfter(0);
    // Steps that are no multiple of a line cut at each kind of position.
    const step = resumes ? 3 : 13;
    let cutAt = 0;
    let isCut = false;
    const { baseUrl } = await serve((response, request) => {
      isCut = !isCut;
      stream(isCut ? { cutAt, resumes } : { resumes })(response, request);
    });
    const { client } = clientOf(baseUrl);
    for (; cutAt <= length; cutAt += step) {
      isCut = false;
      expect(await follow(client.followChanges({ since: idOf(0) })), `at ${cutAt}`).toEqual(ALL);
    }
  },
);

test('starts with since, resumes with Last-Event-ID, and sends the filters each time', async () => {
  const whole = streamAfter(0).length;
  const { baseUrl, positions, urls } = await serve(stream({ cutAt: whole - 40 }), stream());
  const { client } = clientOf(baseUrl);
  const parameters = {
    since: '2026-11-20T00:00:00Z',
    symbols: '@tech',
    dataset: 'earnings',
  } as const;
  const changes = client.followChanges(parameters);
  expectTypeOf(changes).toEqualTypeOf<AsyncGenerator<Change, void, undefined>>();
  expect(await follow(changes)).toEqual(ALL);
  expect(positions).toEqual(['', idOf(LAST - 1)]);
  expect(urls).toEqual([
    '/v1/changes/stream?symbols=%40tech&dataset=earnings&since=2026-11-20T00%3A00%3A00Z',
    '/v1/changes/stream?symbols=%40tech&dataset=earnings',
  ]);
});

test('waits as the service asks: retry, then longer and longer, and Retry-After', async () => {
  const { baseUrl } = await serve(
    stream({ cutAt: 15 }),
    (response) => void response.destroy(),
    (response) => void response.destroy(),
    refuse(503, { code: 'temporary-reduced-capacity' }, { 'retry-after': '30' }),
    stream(),
  );
  const { client, waited } = clientOf(baseUrl);
  expect(await follow(client.followChanges({ since: idOf(0) }))).toEqual(ALL);
  const bounds = [
    [500, 1_000],
    [1_000, 2_000],
    [2_000, 4_000],
    [30_000, 33_000],
  ] as const;
  expect(waited).toHaveLength(bounds.length);
  bounds.forEach(([min, max], i) => {
    expect(waited[i]).toBeGreaterThanOrEqual(min);
    expect(waited[i]).toBeLessThanOrEqual(max);
  });
});

test.each([
  [401, 'invalid-api-key', {}],
  [403, 'insufficient-scope', {}],
  [404, 'unknown-watchlist', {}],
  [429, 'quota-exceeded', { 'retry-after': '40000' }],
])('ends with the problem of a %i', async (status, code, headers) => {
  const { baseUrl, urls } = await serve(stream({ cutAt: 300 }), refuse(status, { code }, headers));
  const { client } = clientOf(baseUrl);
  const error = await follow(client.followChanges()).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ReadError);
  expect(error).toMatchObject({ status, code, problem: { detail: 'so' } });
  expect(urls).toHaveLength(2);
});

test('catches up through the list if the service refuses the position', async () => {
  const refusal = refuse(400, { code: 'invalid-parameter', parameter: 'Last-Event-ID' });
  const rows = [1, 2].map((n) => ({ id: idOf(n) }));
  const list: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(rows));
  };
  const cutAt = streamAfter(0).indexOf(idOf(2));
  const { baseUrl, urls } = await serve(stream({ cutAt }), refusal, list, stream());
  const { client } = clientOf(baseUrl);
  expect(await follow(client.followChanges({ symbols: 'NRTH' }))).toEqual(ALL);
  expect(urls[2]).toBe(`/v1/changes?symbols=NRTH&since=${idOf(1)}&limit=1000`);

  const hopeless = await serve(stream({ cutAt }), refusal, list, refusal, list);
  const { client: other } = clientOf(hopeless.baseUrl);
  await expect(follow(other.followChanges())).rejects.toMatchObject({ status: 400 });
});

test('closes the connection when the caller leaves the loop, or aborts', async () => {
  const closed = Promise.withResolvers<void>();
  const { baseUrl } = await serve((response, request) => {
    response.once('close', closed.resolve);
    stream()(response, request);
  });
  const { client } = clientOf(baseUrl);
  await follow(client.followChanges({ since: idOf(0) }));
  await closed.promise;

  const aborter = new AbortController();
  const changes = client.followChanges({ since: idOf(0) }, { signal: aborter.signal });
  for (const id of ALL) expect((await changes.next()).value?.id).toBe(id);
  const next = changes.next();
  aborter.abort(new Error('enough'));
  await expect(next).rejects.toThrow('enough');
  await expect(client.followChanges({}, { signal: aborter.signal }).next()).rejects.toThrow(
    'enough',
  );
});

test('rejects a response that is not a stream', async () => {
  const { baseUrl } = await serve((response) => void response.end('<html></html>'));
  await expect(follow(clientOf(baseUrl).client.followChanges())).rejects.toThrow('is baseUrl');
});
