import { expect, test } from 'vitest';
import { stubWorld } from '../../../test/support/stub-endpoints.ts';
import { createCachedResponse } from './cached-response.ts';
import type { ReadRequest } from './http-response.ts';
import { ResponseRenderer } from './response-renderer.ts';

test('lets no large response wait for the compression of another', async () => {
  const [endpoint] = stubWorld().endpoints;
  if (endpoint === undefined) throw new Error('the stub has no endpoints');
  const large = () => {
    const body = Buffer.alloc(100_000, 'text ');
    const parts = { endpoint, values: {} as never, dataSource: 'live', location: '/x' } as const;
    const content = { asOf: null, mediaType: 'text/plain', headers: [], body, tag: 'tag' };
    return createCachedResponse({ ...parts, ...content }, () => 0);
  };
  const renderer = new ResponseRenderer();
  const request = { headers: { 'accept-encoding': 'gzip' } } as unknown as ReadRequest;
  const first = large();
  const preparing = renderer.prepare(request, first);
  expect(renderer.prepare(request, large())).toBeNull();
  await preparing;
  expect(first.encoded.has('gzip')).toBe(true);
  await renderer.idle();
  expect(renderer.prepare(request, large())).not.toBeNull();
  await renderer.idle();
});
