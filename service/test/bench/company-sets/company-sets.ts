import { loadSubjectSets, type SubjectSetsOf } from '../../../src/delivery/fan-out/subject-sets.ts';
import { loadOutdated } from '../../../src/delivery/fan-out/outdated.ts';
import type { QueuedSubject } from '../../../src/delivery/fan-out/queue.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import type { Db } from '../../../src/storage/db.ts';
import { template } from '../../../src/webhooks/templates/earnings-schedule.ts';
import { postgresStore } from '../../support/stores.ts';
import type { Bench } from '../bench.ts';
import { embeddedStore } from '../embedded-store.ts';
import { BARE_TEMPLATE, fill, SIZES, symbolOf, TEMPLATE } from './fill.ts';

/** Planning the longer statement takes most of the time on the embedded engine. */
const RATIO_MAX: Readonly<Record<Db['engine'], number>> = { postgres: 3, pglite: 10 };
const ROUNDS = 5;
const BURST = 1_000;
/** Number of subjects that one transaction of the fan-out takes. */
const PAGE = 100;
const LIMIT = 1_000;
const DATA = '{"date":"2026-11-24"}';

/**
 * Measures how long it takes to find the endpoints of a changed company by the company sets that
 * they subscribe to, compared with the same endpoints by its symbol.
 */
export const bench: Bench = {
  name: 'company sets',
  target:
    `a change of a burst takes ≤ ${RATIO_MAX.postgres} × the time of subscriptions to symbols on ` +
    `PostgreSQL, ≤ ${RATIO_MAX.pglite} × on PGlite`,
  async run() {
    const figures: Record<string, string | number> = { ...SIZES };
    const server = await postgresStore();
    let passed = true;
    if ('missing' in server) figures['postgres'] = server.missing;
    else passed = await measure(server.db, figures);
    return { passed: (await measure(await embeddedStore(), figures)) && passed, figures };
  },
};

/** Adds the figures of an engine. Returns whether the ratio of a burst is within its target. */
async function measure(db: Db, figures: Record<string, string | number>): Promise<boolean> {
  await fill(db);
  const inBurst = Array.from({ length: BURST }, (_, index) => symbolOf(index));
  const bare = inBurst.slice(0, SIZES.bySymbol);
  if ((await findBySets(db, bare)) !== (await findBySymbol(db, bare))) {
    throw new Error('the sets select other endpoints than the symbols');
  }
  const times: Record<'burst' | 'single' | 'symbol', number[]> = {
    burst: [],
    single: [],
    symbol: [],
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.symbol.push(await msPerChange(bare, () => findBySymbol(db, bare)));
    times.burst.push(await msPerChange(inBurst, () => findBySets(db, inBurst)));
    times.single.push(
      await msPerChange(bare, async () => {
        for (const symbol of bare) await findBySets(db, [symbol]);
      }),
    );
  }
  for (const [name, values] of Object.entries(times)) {
    figures[`${db.engine} ${name} ms per change`] = median(values).toFixed(2);
  }
  figures[`${db.engine} endpoints per change`] = (await findBySets(db, bare)) / bare.length;
  const ratio = median(times.burst) / median(times.symbol);
  figures[`${db.engine} burst ratio`] = ratio.toFixed(2);
  figures[`${db.engine} single ratio`] = (median(times.single) / median(times.symbol)).toFixed(2);
  await db.close();
  return ratio <= RATIO_MAX[db.engine];
}

/** Finds the endpoints of changed companies page by page. Returns their number. */
async function findBySets(db: Db, symbols: readonly string[]): Promise<number> {
  let count = 0;
  for (let start = 0; start < symbols.length; start += PAGE) {
    const page = symbols.slice(start, start + PAGE);
    const setsOf = await loadSubjectSets(
      db,
      page.map((symbol) => ({ template, symbol })),
    );
    for (const symbol of page) count += await findEndpoints(db, TEMPLATE, symbol, setsOf);
  }
  return count;
}

async function findBySymbol(db: Db, symbols: readonly string[]): Promise<number> {
  let count = 0;
  for (const symbol of symbols) count += await findEndpoints(db, BARE_TEMPLATE, symbol, () => null);
  return count;
}

async function findEndpoints(
  db: Db,
  templateId: string,
  symbol: string,
  setsOf: SubjectSetsOf,
): Promise<number> {
  const queued: QueuedSubject = {
    templateId,
    symbol,
    changedAt: 0,
    onlyEndpoint: '',
    afterEndpoint: '',
  };
  const current = { data: DATA, sets: setsOf({ template, symbol }) };
  return (await loadOutdated(db, queued, current, LIMIT)).endpoints.length;
}

async function msPerChange(
  symbols: readonly string[],
  work: () => Promise<unknown>,
): Promise<number> {
  const clock = systemClock();
  const startedMs = clock.monotonicMs();
  await work();
  return (clock.monotonicMs() - startedMs) / symbols.length;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
