import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { EarningsEvent } from '../src/datasets/earnings/row.ts';
import { seededRandom } from '../src/platform/random.ts';
import { derive } from './support/earnings-histories.ts';
import { PUBLISHED_QUARTERS, type PublishedQuarter } from './support/published-quarters.ts';
import { type RecordedCompany, loadRecordedCompanies } from './support/recorded-histories.ts';

/** Folder with responses recorded from real sources: `PROVIDER/NAME/`, each with a `meta.json`. */
const ROOT = process.env['AFTERBELL_RECORDINGS'];
const WANTED = new RegExp(
  [
    '^sec/(?:submissions|companyfacts|company-tickers-exchange|8k-index)-(?!404)',
    '^nasdaq/calendar-earnings-',
    '^finnhub/calendar-earnings-',
    '^fmp/stable-earnings-',
    '^yahoo/(?:quotesummary-(?:all|calendarevents|earnings)|quote-)',
    '^alphavantage/earnings-(?:calendar-\\d|tsla)',
  ].join('|'),
);
const SUBSETS = 200;
/** Companies whose report dates up to 2015 are recorded from an independent source. */
const DATED = ['AAPL', 'COST', 'KO', 'MSFT'];

describe.skipIf(ROOT === undefined)('quarters as companies published them', () => {
  let companies: RecordedCompany[] = [];

  beforeAll(async () => {
    const symbols = new Set([...PUBLISHED_QUARTERS.map(([symbol]) => symbol), ...DATED]);
    companies = await loadRecordedCompanies(ROOT ?? '', WANTED, [...symbols]);
  }, 120_000);

  test('serves date, session, fiscal quarter, EPS and revenue of every quarter', () => {
    const events = new Map(companies.map((company) => [company.symbol, eventsOf(company)]));
    const wrong = PUBLISHED_QUARTERS.flatMap((quarter) => {
      const [symbol, date] = quarter;
      const event = events.get(symbol)?.find((each) => each.date === date);
      return event !== undefined && isRight(event, quarter) ? [] : [{ quarter, event }];
    });
    expect(wrong).toEqual([]);
    expect(PUBLISHED_QUARTERS.length).toBeGreaterThanOrEqual(60);
  });

  test('keeps every right date, EPS and revenue when more sources are added', () => {
    const seed = Number(process.env['AFTERBELL_SEED'] ?? 20_261_124);
    console.log(`published quarters: AFTERBELL_SEED=${seed}`);
    const random = seededRandom(seed);
    const sources = [...new Set(companies.flatMap((company) => sourcesOf(company)))].toSorted();
    const derived = new Map<string, string[]>();
    const lost: string[] = [];
    for (let count = 0; count < SUBSETS; count++) {
      const more = sources.filter(() => random.float() < 0.7);
      const fewer = more.filter(() => random.float() < 0.5);
      for (const company of companies) {
        const after = new Set(rightFacts(company, more));
        for (const fact of rightFacts(company, fewer)) {
          if (!after.has(fact)) lost.push(`${fact}: ${fewer.join(', ')} → ${more.join(', ')}`);
        }
      }
    }
    expect(lost).toEqual([]);

    /** Returns the right facts that these sources alone lead to. */
    function rightFacts(company: RecordedCompany, allowed: readonly string[]): string[] {
      const own = sourcesOf(company).filter((source) => allowed.includes(source));
      const key = [company.symbol, ...own].join(' ');
      const known = derived.get(key);
      if (known !== undefined) return known;
      const histories = company.histories.filter(({ provider }) => own.includes(provider));
      const facts = factsIn(eventsOf({ ...company, histories }), company.symbol);
      derived.set(key, facts);
      return facts;
    }
  });
});

function eventsOf({ symbol, yearEnd, histories }: RecordedCompany): EarningsEvent[] {
  return derive(histories, { symbol, ...(yearEnd !== null && { yearEnd }) }).events;
}

function sourcesOf({ histories }: RecordedCompany): string[] {
  return [...new Set(histories.map(({ provider }) => provider))];
}

function isRight(event: EarningsEvent, quarter: PublishedQuarter): boolean {
  const [, date, session, fiscalYear, fiscalQuarter] = quarter;
  return (
    event.date === date &&
    event.time === (session === 'am' ? 'time-pre-market' : 'time-after-hours') &&
    event.dateStatus === 'reported' &&
    event.fiscalYear === fiscalYear &&
    event.fiscalQuarter === fiscalQuarter &&
    hasEps(event, quarter) &&
    hasRevenue(event, quarter)
  );
}

/** EPS is served on today's share basis. */
function hasEps({ eps, splitFactor }: EarningsEvent, quarter: PublishedQuarter): boolean {
  return eps !== null && Math.abs(Number(eps) * Number(splitFactor) - quarter[5]) < 0.005;
}

function hasRevenue({ revenue }: EarningsEvent, quarter: PublishedQuarter): boolean {
  return revenue !== null && Math.round(Number(revenue) / 1e6) === quarter[6];
}

/** Returns the right facts: confirmed dates, and EPS and revenue of published quarters. */
function factsIn(events: readonly EarningsEvent[], symbol: string): string[] {
  const published = PUBLISHED_QUARTERS.filter((quarter) => quarter[0] === symbol);
  const dates = new Set([...published.map((quarter) => quarter[1]), ...recordedDates(symbol)]);
  return events.flatMap((event) => {
    if (event.dateStatus !== 'reported' || !dates.has(event.date)) return [];
    const quarter = published.find(([, date]) => date === event.date);
    const name = `${symbol} ${event.date}`;
    if (quarter === undefined) return [name];
    return [
      name,
      ...(hasEps(event, quarter) ? [`${name} EPS`] : []),
      ...(hasRevenue(event, quarter) ? [`${name} revenue`] : []),
    ];
  });
}

/** Returns the report dates up to 2015 from an independent table, `20150427,AMC,…`. */
function recordedDates(symbol: string): string[] {
  if (!DATED.includes(symbol)) return [];
  const folder = join(ROOT ?? '', 'datasets', `earnings-dates-${symbol.toLowerCase()}-2015-06`);
  return readFileSync(join(folder, 'body'), 'utf8')
    .split('\n')
    .flatMap((line) => /^(\d{4})(\d{2})(\d{2}),/.exec(line)?.slice(1).join('-') ?? []);
}
