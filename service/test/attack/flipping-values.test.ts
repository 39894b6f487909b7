import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createIngest } from '../../src/ingest/ingest.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { seededRandom } from '../../src/platform/random.ts';
import { createSourceResponse } from '../../src/providers/source-response.ts';
import { providers } from '../../src/providers/registry.gen.ts';
import type { Db } from '../../src/storage/db.ts';
import type { ClaimedDelivery } from '../../src/delivery/claim/claimed-delivery.ts';
import type { PostOutcome } from '../../src/delivery/send/agent.ts';
import { upcomingRow, calendarUrl, envelope } from '../support/write-recording.ts';
import { companyOf } from '../support/revised-world.ts';
import { runSeed, runSize } from '../support/run-size.ts';
import { memoryStore } from '../support/stores.ts';
import {
  addEndpoint,
  respondWith,
  deliverAll,
  engineDeps,
  type SentBody,
  subscribe,
} from '../support/webhook-world.ts';

vi.setConfig({ testTimeout: runSize({ slice: 240_000, whole: 14_400_000 }) });

const SEED = runSeed();
const COMPANIES = runSize({ slice: 16, whole: 200 });
const FLIPS = runSize({ slice: 80, whole: 10_000 });
const COMPANIES_PER_ENDPOINT = 8;
const BEGAN_AT = Date.parse('2026-11-20T15:00:00Z');
const DAY = '2026-11-25';
const FIELDS = ['time', 'epsEstimate'] as const;
/** A change to `estimates` sends no notification but still supersedes a pending delivery. */
const MEMBERS = [...FIELDS, 'estimates'] as const;

const TIMES = ['time-pre-market', 'time-after-hours'] as const;
const ESTIMATES = [1.2, 1.25] as const;

interface ReportValues {
  time: string;
  epsEstimate: number;
  /** Not part of any template. */
  estimates: number;
}

/**
 * Expected state of one company, derived from the rules in the guide rather than from the service.
 */
interface ExpectedState {
  current: ReportValues;
  /** Data from the last delivery that the receiver acknowledged with 2xx. */
  acknowledged: ReportValues;
  /** Fields listed in later deliveries that were not acknowledged. */
  unacknowledgedFields: Set<string>;
  /** The last delivery, if it was neither acknowledged nor superseded. */
  pending: { id: string; body: string; fails: number } | null;
}

let db: Db;
beforeAll(async () => {
  db = await memoryStore();
});
afterAll(() => db.close());

test(`sends ${FLIPS} values that flip back and forth as the guide requires, with exactly the changed fields (seed ${SEED})`, async () => {
  const random = seededRandom(SEED);
  const clock = fakeClock(BEGAN_AT);
  const deps = engineDeps(db, clock, SEED);
  const ingest = createIngest({ db, clock, providers, onCommit: () => undefined });
  const first: ReportValues = { time: TIMES[0], epsEstimate: ESTIMATES[0], estimates: 3 };
  const symbols = Array.from({ length: COMPANIES }, (_, number) => companyOf(number));
  const companies = new Map<string, ExpectedState>(
    symbols.map((symbol) => [
      symbol,
      { current: first, acknowledged: first, unacknowledgedFields: new Set(), pending: null },
    ]),
  );
  await ingestAll();
  for (let from = 0; from < symbols.length; from += COMPANIES_PER_ENDPOINT) {
    await addEndpoint(db, `ep${from}`);
    await subscribe(deps, `ep${from}`, symbols.slice(from, from + COMPANIES_PER_ENDPOINT));
  }
  expect(await deliverAll(deps)).toEqual([]);

  const counts = { flips: 0, posts: 0, silent: 0, refused: 0, repeated: 0 };
  // A short run may draw too few cases of one kind, so it continues until every kind has occurred.
  while (counts.flips < FLIPS || (isIncomplete() && counts.flips < 20 * FLIPS)) {
    const before = new Map([...companies].map(([symbol, { current }]) => [symbol, current]));
    const changedSymbols = new Set<string>();
    // A value may flip back within the same round or in a later one.
    const steps = 1 + random.int(3);
    for (let step = 0; step < steps; step += 1) {
      await clock.advance(60_000);
      for (const [symbol, company] of companies) {
        const next =
          step === 1 && random.int(2) === 0 ? before.get(symbol) : drawValues(company.current);
        if (next === undefined) continue;
        if (MEMBERS.some((field) => next[field] !== company.current[field]))
          changedSymbols.add(symbol);
        company.current = next;
      }
      await ingestAndCheck();
    }
    counts.flips += COMPANIES;
    await clock.advance(600_000);
    const news = new Set(changedSymbols);
    const sent = await deliverAll(deps, (claimed) => receive(claimed, news));
    counts.posts += sent.length;
    for (const [symbol, company] of companies) check(symbol, company, sent, changedSymbols);
  }
  console.log(JSON.stringify(counts));
  expect(isIncomplete()).toBe(false);

  function isIncomplete(): boolean {
    return Object.values(counts).some((count) => count <= FLIPS / 50);
  }

  function drawValues(current: ReportValues): ReportValues {
    const { time, epsEstimate, estimates } = current;
    const draw = random.int(8);
    return {
      time: draw === 0 || draw === 2 ? other(TIMES, time) : time,
      epsEstimate: draw === 1 || draw === 2 ? other(ESTIMATES, epsEstimate) : epsEstimate,
      estimates: draw === 3 ? 7 - estimates : estimates,
    };
  }

  async function ingestAll(): Promise<void> {
    const rows = [...companies].map(([symbol, { current }]) =>
      upcomingRow(symbol, {
        time: current.time,
        epsForecast: `$${current.epsEstimate}`,
        noOfEsts: String(current.estimates),
      }),
    );
    const raw = { url: calendarUrl(DAY), status: 200, contentType: 'application/json' };
    const text = JSON.stringify(envelope(rows));
    const report = await ingest(createSourceResponse({ ...raw, text, observedAt: clock.now() }));
    expect(report.datasets.find(({ dataset }) => dataset === 'earnings')?.rowsQuarantined).toBe(0);
  }

  /**
   * Ingests the changes and checks that each is recorded once, with exactly the changed fields, and
   * that a no-op adds no record.
   */
  async function ingestAndCheck(): Promise<void> {
    const [last] = await db.query<{ id: number }>('select max(id) as id from change_record');
    const previous = await loadCurrent();
    await ingestAll();
    const now = await loadCurrent();
    // Loads the change records written since then, by symbol.
    const records = await db.query<{ symbol: string; fields: string[] }>(
      `select symbol, changed_fields as fields from change_record
        where dataset = 'earnings' and id > $1 order by symbol`,
      [last?.id ?? 0],
    );
    const expected = symbols.toSorted().flatMap((symbol) => {
      const fields = ['time', 'epsEstimate', 'estimateCount'].filter(
        (field) => previous.get(symbol)?.[field] !== now.get(symbol)?.[field],
      );
      return fields.length === 0 ? [] : [{ symbol, fields }];
    });
    expect(records).toEqual(expected);
    for (const [symbol, { current }] of companies) {
      expect(now.get(symbol), symbol).toEqual({
        time: current.time,
        epsEstimate: current.epsEstimate,
        estimateCount: current.estimates,
      });
    }
  }

  function receive({ body: text }: ClaimedDelivery, news: Set<string>): PostOutcome {
    const body = JSON.parse(text) as SentBody;
    const company = companies.get(body.context.symbol);
    if (company === undefined) throw new Error(`no subscription for ${body.context.symbol}`);
    const { pending } = company;
    const isNew = news.delete(body.context.symbol);
    if (pending !== null && !isNew) {
      // A retry must send the same bytes.
      expect([body.id, text]).toEqual([pending.id, pending.body]);
      counts.repeated += 1;
    } else {
      expect(body.id).not.toBe(pending?.id);
      expect(body.changed_fields).toEqual(changedFields(company));
    }
    expect(body.data).toMatchObject({
      time: company.current.time,
      epsEstimate: company.current.epsEstimate,
    });
    const fails = body.id === pending?.id ? pending.fails : 0;
    if (fails < 2 && random.int(3) === 0) {
      counts.refused += 1;
      for (const field of body.changed_fields) company.unacknowledgedFields.add(field);
      company.pending = { id: body.id, body: text, fails: fails + 1 };
      return respondWith(500);
    }
    company.acknowledged = company.current;
    company.unacknowledgedFields.clear();
    company.pending = null;
    return respondWith(200);
  }

  /** Checks that a company without a delivery has no field left to send. */
  function check(
    symbol: string,
    company: ExpectedState,
    sent: readonly SentBody[],
    changedSymbols: ReadonlySet<string>,
  ): void {
    const body = sent.findLast(({ context }) => context.symbol === symbol);
    if (body !== undefined) return;
    // There is no pending delivery, and no changed field is left to send.
    expect([changedFields(company), company.pending], symbol).toEqual([[], null]);
    if (changedSymbols.has(symbol)) counts.silent += 1;
  }
});

/** Returns the fields that may be new to the receiver, in template order. */
function changedFields(company: ExpectedState): string[] {
  const { current, acknowledged, unacknowledgedFields } = company;
  return FIELDS.filter(
    (field) => current[field] !== acknowledged[field] || unacknowledgedFields.has(field),
  );
}

function other<T>([first, second]: readonly [T, T], current: T): T {
  return current === first ? second : first;
}

/** Loads the current report values for each company. */
async function loadCurrent(): Promise<Map<string, Record<string, unknown>>> {
  // Returns one row per company. Scans a small table.
  const rows = await db.query<{ symbol: string; time: string; eps: number; count: number }>(
    `select symbol, "time", eps_estimate::float8 as eps, estimate_count as count
       from earnings_event where known_to is null`,
  );
  return new Map(
    rows.map(({ symbol, time, eps, count }) => [
      symbol,
      { time, epsEstimate: eps, estimateCount: count },
    ]),
  );
}
