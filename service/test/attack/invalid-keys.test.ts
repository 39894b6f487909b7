import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/audit-log.ts';
import { deleteKey, revokeKey } from '../../src/accounts/keys/change-key.ts';
import { isWellFormedKey } from '../../src/accounts/keys/key-format.ts';
import { ResponseCache } from '../../src/http/response-cache.ts';
import type { HttpResponse } from '../../src/http/response/http-response.ts';
import { createReadApi, type ReadApi } from '../../src/http/read-api.ts';
import { createFailedAuthLimiter } from '../../src/metering/failed-auth-limiter.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { seededRandom } from '../../src/platform/random.ts';
import type { Db } from '../../src/storage/db.ts';
import { forward } from '../../src/storage/forward.ts';
import { invalidKeys } from '../support/hostile/invalid-keys.ts';
import { type Management, startManagement } from '../support/management-server.ts';
import { runSeed, runSize } from '../support/run-size.ts';
import { memoryStore } from '../support/stores.ts';
import { stubWorld } from '../support/stub-endpoints.ts';

const KEYS = runSize({ slice: 4_000, whole: 1_000_000 });
/** A management API call costs a hundred times as much as a read. */
const CALLS = runSize({ slice: 100, whole: 10_000 });
const TIMEOUT = { timeout: 3_600_000 };

let db: Db;
let management: Management;
let readApi: ReadApi;
let good: string[];
let revoked: string;
let deleted: string;
/** Number of statements that reached the store. `hashes` counts the keys hashed for a lookup. */
let statements = 0;
let hashes = 0;
let addresses = 0;

const { createHash } = crypto;

beforeAll(async () => {
  db = await memoryStore();
  management = await startManagement(counted(db));
  const { clock, random } = management.deps;
  const customerId = await management.customer('Quiet Pine');
  const created = [];
  for (let count = 0; count < 6; count += 1)
    created.push(await management.program(customerId, ['read']));
  const [first, second, ...others] = created;
  if (first === undefined || second === undefined) throw new Error('too few keys');
  await revokeKey(management.deps, { customerId, keyId: first.id }, COMMAND_LINE);
  await deleteKey(management.deps, { customerId, keyId: second.id }, COMMAND_LINE);
  await management.keys.refresh();
  [revoked, deleted] = [first.key, second.key];
  good = others.map(({ key }) => key);
  readApi = createReadApi({
    db: counted(db),
    clock,
    random,
    keys: management.keys,
    log: management.log,
    endpoints: stubWorld().endpoints,
    cache: new ResponseCache({ sizeMaxBytes: 1e6 }),
    dataSource: 'synthetic',
    failedAuthLimiter: createFailedAuthLimiter({ clock }),
  });
  // Every lookup starts by hashing the key.
  crypto.createHash = (...given) => {
    hashes += 1;
    return createHash(...given);
  };
  syncBuiltinESMExports();
});
afterAll(async () => {
  crypto.createHash = createHash;
  syncBuiltinESMExports();
  await management.stop();
  await db.close();
});

function counted(store: Db): Db {
  const count = <T>(result: T): T => {
    statements += 1;
    return result;
  };
  return forward(store, {
    query: (...args) => count(store.query(...args)),
    execute: (...args) => count(store.execute(...args)),
    transaction: (...args) => count(store.transaction(...args)),
  });
}

/** Returns a new address each time, since failed authentication is throttled per address. */
function nextAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/** Sends a read request with the key in one of the accepted places. */
function read(text: string, placeIndex = 0): HttpResponse {
  const url = '/v1/status-stub';
  const request = { method: 'GET', headers: {}, remoteAddress: nextAddress() };
  const response = readApi.handle(
    [
      { ...request, url, headers: { 'x-api-key': text } },
      { ...request, url, headers: { authorization: `Bearer ${text}` } },
      { ...request, url: `${url}?apikey=${text}` },
      { ...request, url: `${url}?apikey=%${text.charCodeAt(0).toString(16)}${text.slice(1)}` },
    ][placeIndex % 4] ?? { ...request, url },
  );
  if (response instanceof Promise) throw new Error('a refusal must be synchronous');
  return response;
}

/**
 * Returns the whole response without the request id, and with the id's length subtracted from
 * Content-Length.
 */
function comparableText({ status, headers, body }: HttpResponse): string {
  const id = headers[headers.indexOf('X-Request-Id') + 1] ?? '';
  const length = (body?.length ?? 0) - id.length;
  const shown = `${status} ${headers.join('|')} ${String(body)}`.replaceAll(id, 'ID');
  return shown.replace(`Content-Length|${length + id.length}|`, `Content-Length|${length} and id|`);
}

test(
  'refuses every invalid key with the same response and without querying the store',
  TIMEOUT,
  () => {
    const seed = runSeed();
    const random = seededRandom(seed);
    const next = invalidKeys(random, good);
    const refusal = comparableText(read(revoked));
    expect(refusal).toMatch(/^401 .*invalid-api-key/);
    expect([comparableText(read(deleted)), comparableText(read('no key at all'))]).toEqual([
      refusal,
      refusal,
    ]);
    [statements, hashes] = [0, 0];
    const kinds = new Map<string, number>();
    let wellFormed = 0;
    for (let count = 0; count < KEYS; count += 1) {
      const { kind, text, isWellFormed } = next();
      const shown = comparableText(read(text, random.int(4)));
      if (shown !== refusal) expect(shown, `seed ${seed}, ${kind}: ${text}`).toBe(refusal);
      if (isWellFormed) wellFormed += 1;
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    expect(statements, 'all keys are cached').toBe(0);
    expect(hashes, `seed ${seed}: a key with a wrong checksum is not looked up`).toBe(wellFormed);
    expect(wellFormed).toBeGreaterThan(KEYS / 10);
    expect(Math.min(...kinds.values())).toBeGreaterThan(0);
    const keyIds = good.map((key) => management.keys.find(key)?.id ?? null);
    expect(keyIds, 'valid keys are accepted').not.toContain(null);
    console.info(
      `refused ${KEYS} keys of ${kinds.size} kinds, looked up ${wellFormed}, seed ${seed}`,
    );
  },
);

test(
  'refuses invalid keys in the management API with the same response and without querying the store',
  TIMEOUT,
  async () => {
    const seed = runSeed();
    const next = invalidKeys(seededRandom(seed), good);
    const shown = new Set<string>();
    statements = 0;
    for (let count = 0; count < CALLS; count += 1) {
      const headers = { 'x-api-key': next().text, 'x-test-address': nextAddress() };
      const { status, json } = await management.call('GET', '/account/v1/keys', { headers });
      shown.add(`${status} ${JSON.stringify({ ...json, instance: '' })}`);
    }
    expect([...shown], `seed ${seed}`).toEqual([expect.stringMatching(/^401 .*invalid-api-key/)]);
    expect(statements).toBe(0);
  },
);

test('measures how long it takes to refuse each kind of invalid key', () => {
  const clock = systemClock();
  const rounds = Math.ceil(KEYS / 20);
  const unknown = invalidKeys(seededRandom(1), good);
  const lookedUp = Array.from({ length: rounds }, () => unknown().text).filter(isWellFormedKey);
  const unlike = Array.from({ length: lookedUp.length }, (_, index) => `eds_live_${index}`);
  for (const text of [...unlike, ...lookedUp]) read(text);
  const figures = Object.entries({
    'no key': unlike,
    unknown: lookedUp,
    revoked: lookedUp.map(() => revoked),
  }).map(([name, texts]) => {
    const startMs = clock.monotonicMs();
    for (const text of texts) expect(read(text).status === 401 || text).toBe(true);
    const microseconds = ((clock.monotonicMs() - startMs) * 1_000) / texts.length;
    return `${name} ${microseconds.toFixed(1)} µs`;
  });
  console.info(`time per refusal: ${figures.join(', ')}`);
});
