import { expect, test, vi } from 'vitest';
import { ResponseCache } from './response-cache.ts';
import { sizeBytesOf, createCachedResponse } from './response/cached-response.ts';
import { stubWorld } from '../../test/support/stub-endpoints.ts';

const [endpoint] = stubWorld().endpoints;
if (endpoint === undefined) throw new Error('the stub has no endpoints');

function response(json: unknown) {
  const values = {} as never;
  if (endpoint === undefined) throw new Error('unreachable');
  const parts = { endpoint, values, dataSource: 'live', location: '/x', asOf: null } as const;
  const body = Buffer.from(JSON.stringify(json));
  const content = { mediaType: 'application/json', body, tag: 'tag', headers: [] };
  return createCachedResponse({ ...parts, ...content }, () => 0);
}

const NO_EXPIRY = { topics: ['t'], validUntil: null };

function store(cache: ResponseCache, key: string, json: unknown, topic = 't') {
  return cache.load(key, { topics: [topic], validUntil: null }, async () => ({
    response: response(json),
  }));
}

test('keeps a cached response until one of its topics changes', async () => {
  const cache = new ResponseCache({ sizeMaxBytes: 1e6 });
  await store(cache, 'a', 1, 'one');
  await store(cache, 'b', 2, 'two');
  cache.invalidate(['one', 'nothing has this']);
  expect(cache.get('a', 0)).toBeNull();
  expect(cache.get('b', 0)?.body.toString()).toBe('2');
  cache.invalidateAll();
  expect(cache.get('b', 0)).toBeNull();
  expect(cache.sizeBytes()).toBe(0);
});

test('expires a cached response exactly at its expiration time', async () => {
  const cache = new ResponseCache({ sizeMaxBytes: 1e6 });
  const terms = { topics: [], validUntil: 1_000 };
  await cache.load('a', terms, async () => ({ response: response(1) }));
  expect(cache.get('a', 999)).not.toBeNull();
  expect(cache.get('a', 1_000)).toBeNull();
});

test('shares one computation among concurrent callers', async () => {
  const cache = new ResponseCache({ sizeMaxBytes: 1e6 });
  const compute = vi.fn(async () => ({ response: response(1) }));
  const [a, b] = await Promise.all([
    cache.load('a', NO_EXPIRY, compute),
    cache.load('a', NO_EXPIRY, compute),
  ]);
  expect(a).toBe(b);
  expect(compute).toHaveBeenCalledTimes(1);
});

test('does not store a response if one of its topics changes during the computation', async () => {
  const cache = new ResponseCache({ sizeMaxBytes: 1e6 });
  let stored = 'before';
  const read = Promise.withResolvers<void>();
  const slow = cache.load('a', NO_EXPIRY, async () => {
    const value = stored;
    await read.promise;
    return { response: response(value) };
  });
  stored = 'after';
  cache.invalidate(['t']);
  const later = cache.load('a', NO_EXPIRY, async () => ({ response: response(stored) }));
  expect(await later).toMatchObject({ response: { body: Buffer.from('"after"') } });
  read.resolve();
  expect(await slow).toMatchObject({ response: { body: Buffer.from('"before"') } });
  expect(cache.get('a', 0)?.body.toString()).toBe('"after"');
});

test('does not store the results of computations that were running when invalidateAll was called', async () => {
  const cache = new ResponseCache({ sizeMaxBytes: 1e6 });
  const read = Promise.withResolvers<void>();
  const slow = cache.load('a', NO_EXPIRY, async () => {
    await read.promise;
    return { response: response('before') };
  });
  cache.invalidateAll();
  read.resolve();
  await slow;
  expect(cache.get('a', 0)).toBeNull();
});

test('caches neither refusals nor failures, and passes a failure on to all concurrent callers', async () => {
  const cache = new ResponseCache({ sizeMaxBytes: 1e6 });
  await cache.load('a', NO_EXPIRY, async () => ({ refusal: 'no' }));
  const fail = async () => {
    throw new Error('store');
  };
  const loads = [cache.load('b', NO_EXPIRY, fail), cache.load('b', NO_EXPIRY, fail)];
  const outcomes = await Promise.allSettled(loads);
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
  expect(cache.get('a', 0)).toBeNull();
  expect(await store(cache, 'b', 1)).toHaveProperty('response');
});

test('evicts responses that were not used recently, and keeps the cache within its size limit', async () => {
  const entryBytes = sizeBytesOf(response('x'.repeat(1_000)));
  const cache = new ResponseCache({ sizeMaxBytes: entryBytes * 5 });
  for (let index = 0; index < 5; index++) await store(cache, `k${index}`, 'x'.repeat(1_000));
  cache.get('k0', 0);
  cache.get('k2', 0);
  await store(cache, 'k5', 'x'.repeat(1_000));
  await store(cache, 'k6', 'x'.repeat(1_000));
  const isCached = Array.from({ length: 7 }, (_, index) => cache.get(`k${index}`, 0) !== null);
  expect(isCached).toEqual([true, false, true, false, true, true, true]);
  expect(cache.sizeBytes()).toBe(entryBytes * 5);
});

test('returns a response that is too big for the cache without storing it', async () => {
  const cache = new ResponseCache({ sizeMaxBytes: 10_000 });
  expect(await store(cache, 'big', 'x'.repeat(5_000))).toHaveProperty('response');
  expect(cache.sizeBytes()).toBe(0);
});
