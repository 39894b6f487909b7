import { expect, test } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { memoryStore } from '../../test/support/stores.ts';
import { barOf, ingestListedBars } from '../../test/support/stored-bars.ts';
import { securityOf, storeRows, valuesOf } from '../../test/support/stored-earnings.ts';
import { configuredEndpoints } from './read-api.ts';
import { endpoints } from '../endpoints/registry.gen.ts';
import { readSettings } from '../config/settings.ts';

test('uses the configured criteria for unusual volume and leaves other API endpoints unchanged', async () => {
  const env = {
    UNUSUAL_VOLUME_LOOKBACK_SESSIONS: '30',
    UNUSUAL_VOLUME_MIN_RELATIVE_VOLUME: '3.5',
    UNUSUAL_VOLUME_MIN_PRICE: '5',
    UNUSUAL_VOLUME_MIN_AVERAGE_VOLUME: '50000',
    UNUSUAL_VOLUME_MIN_DOLLAR_VOLUME: '0',
    UNUSUAL_VOLUME_MAX_ROWS: '7',
  };
  const settings = readSettings({ flags: {}, env, cwd: '/', sources: [] });
  const served = configuredEndpoints(settings, null);
  expect(served.map(({ name }) => name)).toEqual(endpoints.map(({ name }) => name));
  const tuned = served.filter((endpoint) => !endpoints.includes(endpoint));
  expect(tuned.map(({ name }) => name)).toEqual(['unusual-volume']);
  const db = await memoryStore();
  try {
    const now = fakeClock(Date.parse('2026-11-20T22:00:00Z')).now();
    const answer = await tuned[0]?.handle(valuesOf({}), { db, now });
    expect(answer).toMatchObject({
      body: {
        criteria: {
          lookbackSessions: 30,
          minRelativeVolume: 3.5,
          minPrice: 5,
          minAverageVolume: 5e4,
          minDollarVolume: 0,
          maxRows: 7,
        },
      },
    });
  } finally {
    await db.close();
  }
});

test('serves no bars of sources that cannot be licensed with LICENSED_SOURCES_ONLY', async () => {
  const db = await memoryStore();
  try {
    await storeRows(db, { securities: [securityOf('MERD')] });
    const at = Date.parse('2026-11-20T22:00:00Z');
    const bars = (date: string) => ({
      list: null,
      isAdjusted: false,
      rows: [barOf('MERD', date, '9')],
    });
    await ingestListedBars(db, bars('2026-11-19'), { feed: 'yahoo/chart', at });
    await ingestListedBars(db, bars('2026-11-20'), { feed: 'massive/bars', at });
    const datesWith = async (env: Record<string, string>) => {
      const settings = readSettings({ flags: {}, env, cwd: '/', sources: [] });
      const bars = configuredEndpoints(settings, null).find(({ name }) => name === 'bars');
      const answer = await bars?.handle(valuesOf({ symbol: 'MERD' }), { db, now: at });
      return answer?.kind === 'body' && (answer.body as { date: string }[]).map(({ date }) => date);
    };
    expect(await datesWith({})).toEqual(['2026-11-19', '2026-11-20']);
    expect(await datesWith({ LICENSED_SOURCES_ONLY: 'true' })).toEqual(['2026-11-20']);
  } finally {
    await db.close();
  }
});

test('rejects an invalid criterion for unusual volume at startup and suggests a fix', () => {
  const read = (env: Record<string, string>) => () =>
    readSettings({ flags: {}, env, cwd: '/', sources: [] });
  expect(read({ UNUSUAL_VOLUME_MIN_PRICE: '-1' })).toThrow('UNUSUAL_VOLUME_MIN_PRICE');
  expect(read({ UNUSUAL_VOLUME_MIN_RELATIVE_VOLUME: '0.5' })).toThrow('at least 1');
  expect(read({ UNUSUAL_VOLUME_MIN_DOLLAR_VOLUME: '1e6' })).toThrow('such as 1000000');
  expect(read({ UNUSUAL_VOLUME_MAX_ROWS: '0' })).toThrow('from 1 to 1000');
});
