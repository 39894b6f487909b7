import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ingestResponses } from '../../../test/support/ingest-responses.ts';
import { emptyStore, memoryStore } from '../../../test/support/stores.ts';
import { marketCalendar } from '../../domain/market/calendar.ts';
import { parseInstant } from '../../platform/instant.ts';
import type { Provider } from '../../providers/provider.ts';
import { providers } from '../../providers/registry.gen.ts';
import type { Db } from '../../storage/db.ts';
import { checkMarket } from './check-market.ts';
import { checkReleases } from './check-releases.ts';

const NOON = parseInstant('2026-11-19T17:00:00Z') ?? 0;
const DAY_MS = 86_400_000;
const nasdaq = providers.filter(({ name }) => name === 'nasdaq');

let db: Db;
beforeAll(async () => {
  db = await memoryStore();
});
beforeEach(() => emptyStore(db));
afterAll(() => db.close());

function deps(sources: readonly Provider[] = nasdaq) {
  return { db, now: NOON, market: marketCalendar(), sources };
}

describe('the market calendar in doctor', () => {
  const url = 'https://api.nasdaq.com/api/market-info';
  const info = (marketClosingTime: string): object => ({
    data: { marketOpeningTime: 'Nov 19, 2026 09:30 AM ET', marketClosingTime },
  });

  it('warns if a source states another market schedule, and skips an old statement', async () => {
    const agreeing = { url, at: NOON - DAY_MS / 4, body: info('Nov 19, 2026 04:00 PM ET') };
    await ingestResponses(db, agreeing);
    expect(await checkMarket(deps())).toMatchObject([{ state: 'ok' }]);
    const differing = { url, at: NOON, body: info('Nov 19, 2026 02:00 PM ET') };
    await ingestResponses(db, differing);
    const [check] = await checkMarket(deps());
    expect(check).toMatchObject({ check: 'market', state: 'warning' });
    expect(check?.message).toContain('2026-11-19 close is 14:00 for the source, 16:00');
    expect(await checkMarket({ ...deps(), now: NOON + 5 * DAY_MS })).toMatchObject([
      { state: 'skipped' },
    ]);
  });
});

describe('the economic calendar in doctor', () => {
  const fred = providers.filter(({ name }) => name === 'fred');
  const calendar = (days: string) => ({
    url: 'https://www.federalreserve.gov/json/calendar.json',
    at: NOON,
    body: { events: [{ title: 'G.19 - Consumer Credit', time: '', month: '2026-11', days }] },
  });
  const dates = (...days: string[]) => ({
    url: 'https://api.stlouisfed.org/fred/releases/dates?file_type=json',
    at: NOON + 1,
    body: { release_dates: days.map((date) => ({ release_id: 14, date })) },
  });

  it('names the releases on which FRED has another day than the agency', async () => {
    expect(await checkReleases(deps(fred))).toMatchObject([{ state: 'skipped' }]);
    await ingestResponses(db, calendar('20'), dates('2026-11-20'));
    expect(await checkReleases(deps(fred))).toMatchObject([{ state: 'ok' }]);
    await ingestResponses(db, { ...dates('2026-11-16', '2026-11-23'), at: NOON + 2 });
    const [check] = await checkReleases(deps(fred));
    expect(check).toMatchObject({ check: 'releases', state: 'warning' });
    expect(check?.message).toContain('2026-11-20 us-consumer-credit is only in the calendar');
    expect(check?.message).toContain('2026-11-23 us-consumer-credit is only in the source');
  });
});
