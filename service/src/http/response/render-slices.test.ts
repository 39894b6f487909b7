import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { parameterValues } from '../../../test/support/parameter-values.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import { list, named, symbol } from '../../endpoints/schema/fields.ts';
import { ResponseCache } from '../response-cache.ts';
import { ResponseLoader } from './response-loader.ts';

const ROWS = Array.from({ length: 77 }, (_, i) => ({ symbol: `S${i}` }));

const endpoint: Endpoint = {
  name: 'rows-stub',
  path: '/v1/rows-stub',
  summary: 'Rows',
  describe: 'Rows.',
  tag: 'companies',
  historicalAccess: false,
  datasets: ['profiles'],
  parameters: [],
  response: list(named('SlicedRow', { symbol: symbol() }), 'Rows.'),
  example: [{ symbol: 'MERD' }],
  topics: () => [],
  maxAgeSeconds: () => 60,
  handle: () => Promise.resolve({ kind: 'body', body: ROWS, asOf: null }),
};

async function load(format: string): Promise<string> {
  const loader = new ResponseLoader({
    cache: new ResponseCache({ sizeMaxBytes: 1_000_000 }),
    db: { query: () => Promise.reject(new Error('no store')) },
    dataSource: 'synthetic',
  });
  const values = parameterValues({ format, limit: null, cursor: null });
  const location = endpoint.path;
  const query = { endpoint, values, location, historyFrom: null, watchlistScope: null };
  const result = await loader.load(query, 0);
  if ('refusal' in result) throw new Error(result.refusal.detail);
  return result.response.body.toString();
}

test('renders a long list in slices exactly as at once, as JSON and as CSV', async () => {
  expect(await load('json')).toBe(JSON.stringify(ROWS));
  const lines = ['symbol', ...ROWS.map((row) => row.symbol), ''];
  expect(await load('csv')).toBe(lines.join('\r\n'));
});

test.each(['json', 'csv'])(
  'serves other events between the slices of a long list while it renders and while it encodes them, as %s',
  async (format) => {
    let isDone = false;
    let turns = 0;
    const loading = load(format).finally(() => (isDone = true));
    for (; !isDone; turns += 1) await setImmediate();
    await loading;
    // 77 rows are four slices of 25, and each of two steps pauses three times.
    expect(turns).toBeGreaterThanOrEqual(6);
  },
);
