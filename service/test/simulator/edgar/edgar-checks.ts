import { loadPublicEarnings } from '../../../src/datasets/earnings/load-public.ts';
import type { EarningsEvent } from '../../../src/datasets/earnings/row.ts';
import { loadEarningsOfSecurities } from '../../../src/datasets/earnings/store.ts';
import type { Security } from '../../../src/datasets/securities/row.ts';
import { loadSecuritiesBySymbol } from '../../../src/datasets/securities/store.ts';
import { marketCalendar } from '../../../src/domain/market/calendar.ts';
import { formatInstant, type Instant } from '../../../src/platform/instant.ts';
import { seededRandom } from '../../../src/platform/random.ts';
import type { Queryable } from '../../../src/storage/db.ts';
import { type EdgarWorld, followedFilings, type FollowedReport } from './edgar-world.ts';

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;
const HISTORY_DAYS = 600;
/** A release in millions states one decimal place. */
const REVENUE_ROUNDING = 50_000;

/** Returns the followed filings whose documents were not read. */
export async function findLostFilings(world: EdgarWorld): Promise<string[]> {
  const rows = await world.store.query<{ accession: string }>(
    `select accession from filing where state = 'done'`,
  );
  const done = new Set(rows.map(({ accession }) => accession));
  const endAt = world.startedAt + DAY_MS;
  return world.reports
    .flatMap(followedFilings)
    .filter(({ acceptedAt, accession }) => acceptedAt < endAt && !done.has(accession))
    .map(({ accession, form }) => `${form} ${accession} was not read`);
}

/**
 * Returns the served figures that the company did not publish, and the missing ones of releases
 * without a mistake.
 */
export async function findWrongFigures(world: EdgarWorld): Promise<string[]> {
  const { edgar, reports, store } = world;
  const violations: string[] = [];
  for (const report of reports) {
    const { index, cycle } = report;
    const figures = edgar.filings.figuresOf(index, cycle);
    const security = await securityOf(world, report);
    const events = await loadEarningsOfSecurities(store, [security.id], null);
    const event = events.find(({ fiscalPeriodEnd }) => fiscalPeriodEnd === figures.end);
    const name = `${security.symbol} ${figures.end}`;
    if (event === undefined) {
      violations.push(`${name} has no report`);
      continue;
    }
    const { eps, revenue, provenance } = event;
    const trueEps = [figures.epsCents, figures.adjustedCents].map((cents) =>
      cents === null ? null : cents / 100,
    );
    const isTrueEps = eps === null || trueEps.includes(Number(eps));
    const isTrueRevenue =
      revenue === null || Math.abs(Number(revenue) - figures.revenue) <= REVENUE_ROUNDING;
    if (!isTrueEps) violations.push(`${name} has EPS ${eps}, not ${trueEps.join(' or ')}`);
    if (!isTrueRevenue) violations.push(`${name} has revenue ${revenue}, not ${figures.revenue}`);
    const fault = edgar.filings.faultOf(index, cycle);
    if (fault !== null && fault !== 'amendment') continue;
    if (eps === null || revenue === null) violations.push(`${name} has no result`);
    const source = provenance['eps'];
    // Filed EPS replaces the stated one, and facts have no cells.
    if (source?.feed !== 'companyfacts' && source?.cell === undefined) {
      violations.push(`${name} has no cell of its EPS`);
    }
  }
  return violations;
}

/**
 * Asks what the public knew at random instants, and around acceptance times. Returns the values whose
 * document was accepted later.
 */
export async function findEarlyKnowledge(
  world: EdgarWorld,
  db: Queryable,
  { seed, instants }: { seed: number; instants: number },
): Promise<{ violations: string[]; figures: number }> {
  const { edgar, reports, startedAt, clock } = world;
  const random = seededRandom(seed);
  const market = marketCalendar();
  const violations: string[] = [];
  let figures = 0;
  for (let n = 0; n < instants; n += 1) {
    const report = reports[random.int(reports.length)];
    if (report === undefined) throw new Error('no report was followed');
    const security = await securityOf(world, report);
    const back = random.float() * HISTORY_DAYS * DAY_MS;
    const near = edgar.filings.ofReport(report.index, report.cycle - random.int(6));
    const at =
      [
        Math.min(clock.now(), startedAt + 10 * DAY_MS) - back,
        near.results.acceptedAt - SECOND_MS * random.int(2),
        near.periodic.acceptedAt - SECOND_MS * random.int(2),
      ][n % 3] ?? 0;
    const { events } = await loadPublicEarnings(db, [security], { at, market });
    for (const event of events) {
      const publicAt = publicAtOf(world, report, event);
      for (const [name, value] of valuesOf(event)) {
        figures += 1;
        if (publicAt !== null && publicAt <= at) continue;
        violations.push(
          `${security.symbol} shows ${name} ${value} of ${event.fiscalPeriodEnd} at ` +
            `${formatInstant(at)}, accepted at ${publicAt === null ? 'no time' : formatInstant(publicAt)}`,
        );
      }
    }
  }
  return { violations, figures };
}

/** Returns the figures that the store knew before their documents were served. */
export async function findEarlyStore(world: EdgarWorld): Promise<string[]> {
  const { edgar, reports, store, startedAt } = world;
  const violations: string[] = [];
  for (const report of reports) {
    const { end } = edgar.filings.figuresOf(report.index, report.cycle);
    const security = await securityOf(world, report);
    for (const at of [startedAt, report.results.acceptedAt - SECOND_MS]) {
      const events = await loadEarningsOfSecurities(store, [security.id], at);
      const event = events.find(({ fiscalPeriodEnd }) => fiscalPeriodEnd === end);
      if (event === undefined || valuesOf(event).length === 0) continue;
      violations.push(`${security.symbol} has a result of ${end} at ${formatInstant(at)}`);
    }
  }
  return violations;
}

/** Returns the first time at which a document in the store stated a report's figures. */
function publicAtOf(
  { edgar, reports }: EdgarWorld,
  { index, cycle: last }: FollowedReport,
  { fiscalPeriodEnd }: EarningsEvent,
): Instant | null {
  for (let cycle = last; cycle > last - 24; cycle--) {
    const { period } = edgar.market.report(index, cycle);
    if (period.end !== fiscalPeriodEnd) continue;
    const { results, periodic } = edgar.filings.ofReport(index, cycle);
    const isRead = reports.some((each) => each.index === index && each.cycle === cycle);
    return isRead ? results.acceptedAt : periodic.acceptedAt;
  }
  return null;
}

function valuesOf({ eps, epsGaap, revenue }: EarningsEvent): [string, string][] {
  return Object.entries({ eps, epsGaap, revenue }).flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name, value]],
  );
}

async function securityOf({ edgar, store }: EdgarWorld, { index }: FollowedReport) {
  const symbol = edgar.market.companies[index]?.symbol ?? '';
  const [security]: Security[] = await loadSecuritiesBySymbol(store, [symbol]);
  if (security === undefined) throw new Error(`no security ${symbol}`);
  return security;
}
