import { describe, expect, test } from 'vitest';
import type { Row, World } from './world.ts';

/** Tests unknown and several symbols, and the examples of the API description. */
export function symbolsAndExamples(world: () => World): void {
  describe('symbols in a sandbox', () => {
    test('says that the market is simulated, and offers symbols that exist', async () => {
      const unknown = await world().request('/v1/earnings?symbol=AAPL');
      expect(unknown.body).toMatchObject({ status: 404, code: 'unknown-symbol' });
      const { detail, suggestions } = unknown.body as { detail: string; suggestions: string[] };
      expect(detail).toContain('simulated market');
      expect(suggestions).toHaveLength(5);
      for (const symbol of suggestions) {
        expect((await world().request(`/v1/earnings?symbol=${symbol}`)).status).toBe(200);
      }
    });

    test('returns several companies and names the unknown ones', async () => {
      const { symbol } = (await world().rows('/v1/symbols?active=true&limit=1'))[0] ?? {};
      for (const path of ['/v1/earnings', '/v1/profile']) {
        const reply = await world().request(`${path}?symbols=AAPL,${String(symbol)}`);
        expect(reply.headers.get('x-unknown-symbols')).toBe('AAPL');
        const symbols = (reply.body as Row[]).map((row) => row['symbol']);
        expect(new Set(symbols)).toEqual(new Set([symbol]));
        expect(world().violations(path, reply.body)).toEqual([]);
      }
    });

    test('responds with 200 to every example of the API description', async () => {
      const { body } = await world().request('/openapi.json', { headers: {} });
      const { paths } = body as { paths: Record<string, { get: ExampleOperation }> };
      const failed: string[] = [];
      for (const [path, { get }] of Object.entries(paths)) {
        // Files of data sets exist only after an export.
        if (path === '/v1/datasets/{dataset}/{file}') continue;
        const example = exampleOf(path, get);
        const status = await statusOf(world(), example);
        if (status !== 200) failed.push(`${example}: ${status}`);
      }
      expect(failed).toEqual([]);
    });

    test('has only companies of the simulated market in the examples of responses', async () => {
      const { body } = await world().request('/openapi.json', { headers: {} });
      const examples = JSON.stringify(body).matchAll(/"symbol":"([A-Z.]+)","(?:name|date)":/g);
      const symbols = [...new Set([...examples].map(([, symbol = '']) => symbol))];
      expect(symbols.length).toBeGreaterThan(0);
      for (const symbol of symbols) {
        expect((await world().request(`/v1/profile/${symbol}`)).status, symbol).toBe(200);
      }
    });
  });
}

/** Returns the status of a response without its body, because a stream never ends. */
async function statusOf({ url, key }: World, path: string): Promise<number> {
  const response = await fetch(url + path, { headers: { 'X-Api-Key': key } });
  await response.body?.cancel();
  return response.status;
}

interface ExampleOperation {
  parameters: readonly { name: string; in: 'path' | 'query'; example?: string }[];
}

/** Returns the path with every parameter that has an example. */
function exampleOf(path: string, { parameters }: ExampleOperation): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: place, example } of parameters) {
    if (example === undefined) continue;
    if (place === 'query') query.set(name, example);
    else filled = filled.replace(`{${name}}`, example);
  }
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}
