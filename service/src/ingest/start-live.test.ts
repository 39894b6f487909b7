import { afterAll, expect, test } from 'vitest';
import { openRecordedWorld } from '../../test/support/recorded-world.ts';
import { fakeClock } from '../../test/support/fake-clock.ts';
import {
  calendarUrl,
  envelope,
  screenerRow,
  screenerUrl,
  upcomingRow,
} from '../../test/support/write-recording.ts';
import { provider as nasdaq } from '../providers/nasdaq/index.ts';
import { createSourceResponse } from '../providers/source-response.ts';
import { jobStore, sourceMemory } from './job-store.ts';
import { planRun } from './plan-batch.ts';
import { planContextOf } from './start-live.ts';

const NOW = '2026-02-10T23:00:00Z';
const world = await openRecordedWorld(NOW);
afterAll(() => world.close());

test("plans requests for companies that only Nasdaq's own lists name, without symbols that are only mentioned", async () => {
  const list = envelope(['NRTH', 'QUAY^A', 'WEST'].map((symbol) => screenerRow(symbol)));
  const mentioned = envelope(['OLDE', 'WEST'].map((symbol) => upcomingRow(symbol)));
  await ingest(screenerUrl('nyse'), list);
  await ingest(calendarUrl('2026-02-10'), mentioned);
  const clock = fakeClock(Date.parse(NOW));
  const deps = {
    planContext: planContextOf({ db: world.db, clock, setting: () => undefined }),
    jobs: jobStore(world.db, clock),
  };
  const requested = async (feed: string): Promise<string[]> => {
    const { requests } = await planRun(deps, [nasdaq], { feed, date: null });
    return requests.map(({ url }) => /quote\/(\w+)\//.exec(url)?.[1] ?? url);
  };
  // Tonight's share of the rotation is one of the two listed companies.
  expect(await requested('quote-dividends')).toEqual(['NRTH']);
  expect(await requested('historical')).toEqual(['OLDE', 'WEST']);
  const { symbols, ciks } = await deps.planContext('all');
  expect(symbols).toEqual(['NRTH', 'WEST']);
  expect(ciks.size).toBe(0);
});

test('keeps the limits of each source in the store', async () => {
  const [nasdaqMemory, hostMemory] = [null, 'www.example'].map((host) =>
    sourceMemory(world.db, 'nasdaq', host),
  );
  expect(await nasdaqMemory?.load()).toBeNull();
  const state = {
    requests: [{ minute: Date.parse(NOW), count: 3 }],
    reserved: 5,
    cooldown: { reason: 'blocked' as const, until: Date.parse(NOW), refusals: 2 },
  };
  await nasdaqMemory?.save({ ...state, reserved: 0 });
  await nasdaqMemory?.save(state);
  expect(await nasdaqMemory?.load()).toEqual(state);
  expect(await hostMemory?.load()).toBeNull();
});

async function ingest(url: string, body: unknown): Promise<void> {
  const text = JSON.stringify(body);
  const observedAt = Date.parse(NOW);
  const response = { url, status: 200, contentType: 'application/json', observedAt, text };
  await world.ingest(createSourceResponse(response));
}
