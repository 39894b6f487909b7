import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import {
  edgarHost,
  releaseOf,
  type ScriptedFiling,
} from '../../../test/support/hosts/edgar-host.ts';
import { ScriptedNetwork } from '../../../test/support/hosts/scripted-network.ts';
import { silentLog } from '../../../test/support/logs.ts';
import { memoryStore } from '../../../test/support/stores.ts';
import {
  deliverAll,
  engineDeps,
  addEndpoint,
  fanOutAll,
  subscribe,
} from '../../../test/support/webhook-world.ts';
import type { Db } from '../../storage/db.ts';
import { createHttpClient } from '../../platform/http-client.ts';
import { seededRandom } from '../../platform/random.ts';
import { createSourceResponse } from '../../providers/source-response.ts';
import { provider } from '../../providers/sec/index.ts';
import { createIngest } from '../ingest.ts';
import { filingLedger } from './filing-ledger.ts';
import { readFiling } from './read-filing.ts';

const ACCEPTED = Date.parse('2026-11-19T21:05:07Z');
const HERON = { cik: '0001900001', name: 'Heron Instruments Inc.', symbol: 'HRNI' };
const FIGURES = { eps: '1.21', epsYearAgo: '1.02', revenue: 412_000, revenueYearAgo: 380_500 };

let db: Db;
beforeAll(async () => void (db = await memoryStore()));
afterAll(() => db.close());

function filingOf(
  number: number,
  body: string,
  more: Partial<ScriptedFiling> = {},
): ScriptedFiling {
  return {
    accession: `${HERON.cik}-26-00000${number}`,
    cik: HERON.cik,
    name: HERON.name,
    form: '8-K',
    items: ['2.02', '9.01'],
    acceptedAt: ACCEPTED + number * 60_000,
    exhibits: [{ type: 'EX-99.1', filename: 'ex991.htm', body }],
    ...more,
  };
}

async function filingsWorld() {
  const clock = fakeClock(ACCEPTED + 125_000);
  const host = edgarHost(clock);
  const ingest = createIngest({ db, clock, providers: [provider], onCommit: () => undefined });
  const fields = ['cik', 'name', 'ticker', 'exchange'];
  const text = JSON.stringify({ fields, data: [[1_900_001, HERON.name, HERON.symbol, 'Nasdaq']] });
  const url = 'https://www.sec.gov/files/company_tickers_exchange.json';
  const listed = {
    url,
    status: 200,
    contentType: 'application/json',
    observedAt: ACCEPTED - 1,
    text,
  };
  await ingest(createSourceResponse(listed));
  const client = createHttpClient({
    clock,
    random: seededRandom(1),
    dispatcher: new ScriptedNetwork(clock, [host]),
  });
  const limits = { ...provider.limits, intervalMsMin: 0 };
  const { follower } = provider;
  if (follower === undefined) throw new Error('sec has no follower');
  const deps = {
    clock,
    log: silentLog,
    source: client.source({ name: 'sec', hosts: provider.hosts, limits }),
    signal: new AbortController().signal,
    follower,
    settings: { setting: () => 'Jane Doe jane@example.org' },
    ingest,
  };
  const ledger = filingLedger(db);
  return {
    clock,
    ledger,
    async read(filing: ScriptedFiling) {
      host.filings.push(filing);
      const seen = { ...filing, seenAt: clock.now(), isLive: true, isOpen: true };
      await ledger.record([seen]);
      const outcome = await readFiling(deps, seen);
      if (outcome.kind !== 'read') throw new Error(outcome.kind);
      const { documents, mayServeAt } = outcome;
      const { items, acceptedAt } = documents;
      const read = { accession: filing.accession, items, acceptedAt, mayServeAt };
      await ledger.finish({ ...read, state: 'done' });
      const [line] = await db.query<{ servedAt: number | null }>(
        `select served_at as "servedAt" from filing where accession = $1`,
        [filing.accession],
      );
      return line?.servedAt;
    },
  };
}

/** Returns the current reports of the company. */
function reports() {
  return db.query(
    `select eps, revenue, fiscal_period_end as "fiscalPeriodEnd", date_status as "dateStatus",
            provenance -> 'eps' -> 'cell' ->> 'row' as "row"
       from earnings_event where known_to is null and symbol = 'HRNI'`,
  );
}

test('a filing with a release becomes a result, a webhook and a line of the ledger', async () => {
  const { read, clock, ledger } = await filingsWorld();
  const deps = engineDeps(db, clock);
  await addEndpoint(db, 'ep');
  await subscribe(deps, 'ep', [HERON.symbol]);
  await fanOutAll(deps);

  expect(
    await read(filingOf(1, releaseOf({ ...HERON, name: 'Osprey Mills', symbol: 'OSPM' }, FIGURES))),
  ).toBeNull();
  expect(await reports()).toMatchObject([{ eps: null, revenue: null }]);

  const servedAt = await read(filingOf(2, releaseOf(HERON, FIGURES), { form: '8-K/A' }));
  expect(servedAt).toBe(clock.now());
  expect(await reports()).toMatchObject([
    {
      eps: '1.21',
      revenue: '412000000',
      fiscalPeriodEnd: '2026-09-30',
      dateStatus: 'reported',
      row: 'Net income (loss) per share, diluted',
    },
  ]);

  await clock.advance(700);
  const [post] = await deliverAll(deps);
  expect(post?.data).toMatchObject({ eps: 1.21, revenue: 412_000_000 });
  await ledger.recordPosts(clock.now() - 60_000);
  const [line] = await db.query<{ posted: boolean }>(
    `select served_at <= posted_at as posted from filing where served_at is not null`,
  );
  expect(line).toEqual({ posted: true });
});
