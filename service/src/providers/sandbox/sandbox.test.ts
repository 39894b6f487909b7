import { describe, expect, it } from 'vitest';
import type { CalendarObservation } from '../../datasets/earnings/observation.ts';
import { parseInstant } from '../../platform/instant.ts';
import { createSourceResponse } from '../source-response.ts';
import { type ParsedRow, type SourceResponse, SourceResponseError } from '../provider.ts';
import { rejectConflicts } from '../kit/reject-conflicts.ts';
import { createSandbox } from './index.ts';

const NOW = parseInstant('2026-11-25T18:00:00Z') ?? 0;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function responsesOf(from: number | null, to: number, companies = 60): SourceResponse[] {
  return [...(createSandbox({ companies }).generateResponses?.(from, to) ?? [])];
}

/** Parses a response with the feed that claims it. */
function read(response: SourceResponse): ParsedRow[] {
  const feeds = createSandbox().feeds.filter((feed) => feed.claims(response));
  expect(feeds).toHaveLength(1);
  const parsed = rejectConflicts(feeds[0]?.parse(response) ?? { rows: [], bad: [] });
  const faulty = response.url.endsWith('&part=slips') ? ['bad-date', 'conflicting-duplicate'] : [];
  expect(parsed.bad.map(({ reason }) => reason)).toEqual(faulty);
  return parsed.rows;
}

function reports(rows: readonly ParsedRow[]): CalendarObservation[] {
  return rows
    .filter((row) => row.dataset === 'earnings')
    .map((row) => row.fields as CalendarObservation);
}

describe('sandbox responses', () => {
  it('fills an empty store with responses of moderate size: companies, current data, then history', () => {
    const isBars = ({ url }: SourceResponse): boolean => url.startsWith('sandbox://market/bars');
    const all = responsesOf(null, NOW, 560);
    const responses = all.filter((response) => !isBars(response));
    const sessions = all.filter(isBars).map(({ observedAt }) => observedAt);
    expect(sessions.length).toBeGreaterThan(80);
    expect(sessions).toEqual(sessions.toSorted((a, b) => b - a));
    expect(all.findIndex(isBars)).toBeGreaterThan(all.findLastIndex((a) => a.observedAt === NOW));
    const times = responses.slice(1).map((response) => response.observedAt);
    const present = times.slice(0, times.lastIndexOf(NOW) + 1);
    const past = times.slice(present.length);
    expect(present).toEqual(present.toSorted((a, b) => a - b));
    expect(past).toEqual(past.toSorted((a, b) => a - b));
    expect(past.at(-1)).toBeLessThanOrEqual(present[0] ?? 0);
    expect(responses.slice(0, 1 + present.length).flatMap(read).length).toBeLessThan(7000);
    expect(responses[0]?.url).toMatch(/^sandbox:\/\/market\/companies/);
    const rows = responses.flatMap(read);
    expect(rows.length).toBeGreaterThan(15_000);
    expect(rows.length).toBeLessThan(20_000);
    const keys = new Set(rows.map((row) => `${row.dataset} ${row.entityKey} ${row.naturalKey}`));
    expect(keys.size).toBeGreaterThanOrEqual(560 * (2 + 20 + 4));
  });

  it('generates the same responses a second time', () => {
    const texts = (responses: SourceResponse[]) =>
      responses.map((response) => [response.url, response.text]);
    expect(texts(responsesOf(null, NOW))).toEqual(texts(responsesOf(null, NOW)));
    expect(texts(responsesOf(NOW - DAY_MS, NOW))).toEqual(texts(responsesOf(NOW - DAY_MS, NOW)));
  });

  it('shows results from the last half year first as expected, then as reported', () => {
    const statusesByReport = new Map<string, string[]>();
    for (const response of responsesOf(null, NOW)) {
      for (const { symbol, fiscalYear, fiscalQuarter, eps, date } of reports(read(response))) {
        if (date < '2026-06-10' || date > '2026-11-20') continue;
        const key = `${symbol} ${fiscalYear} ${fiscalQuarter}`;
        statusesByReport.set(key, [
          ...(statusesByReport.get(key) ?? []),
          eps === null ? 'expected' : 'reported',
        ]);
      }
    }
    expect(statusesByReport.size).toBeGreaterThan(90);
    for (const states of statusesByReport.values())
      expect(states).toEqual(['expected', 'reported']);
  });

  it('never shows a result before its release, and includes its exact release instant', () => {
    let results = 0;
    for (const response of [...responsesOf(null, NOW), ...responsesOf(NOW, NOW + 3 * DAY_MS)]) {
      for (const report of reports(read(response))) {
        expect(report.eps === null).toBe(report.reportedAt === null);
        if (typeof report.reportedAt !== 'number') continue;
        results++;
        expect(report.reportedAt).toBeLessThanOrEqual(response.observedAt);
      }
    }
    expect(results).toBeGreaterThan(60 * 19);
  });

  it('splits a one-day absence so that expectations come before results', () => {
    const responses = responsesOf(NOW - DAY_MS, NOW, 560);
    expect(responses.length).toBeGreaterThan(40);
    expect(responses.at(-1)?.observedAt).toBeLessThanOrEqual(NOW);
    for (const response of responses) expect(response.observedAt).toBeGreaterThan(NOW - DAY_MS);
  });

  it('reaches the same state in small steps or in one step of two weeks', () => {
    const from = NOW - 14 * DAY_MS;
    const stepResponses: SourceResponse[] = [];
    const source = createSandbox({ companies: 30 });
    for (let at = from; at < NOW; at += HOUR_MS) {
      stepResponses.push(...(source.generateResponses?.(at, at + HOUR_MS) ?? []));
    }
    expect(stateOf(responsesOf(from, NOW, 30))).toEqual(stateOf(stepResponses));
  });

  it('updates prices once per trading day, after the close', () => {
    const count = (from: string, to: string) =>
      responsesOf(parseInstant(from), parseInstant(to) ?? 0).filter((response) =>
        response.url.includes('/quotes'),
      ).length;
    expect(count('2026-11-25T21:00:00Z', '2026-11-25T21:29:59Z')).toBe(0);
    expect(count('2026-11-25T21:00:00Z', '2026-11-25T21:30:00Z')).toBe(1);
    expect(count('2026-11-28T01:00:00Z', '2026-11-30T21:00:00Z')).toBe(0);
  });

  it('includes two faulty rows in the initial responses: an invalid row, and a row that an operator can accept', () => {
    const faulty = responsesOf(null, NOW).filter(({ url }) => url.endsWith('&part=slips'));
    const feed = createSandbox().feeds.find(({ name }) => name === 'dividends');
    const bad = faulty.flatMap((response) => {
      const parsed = feed?.parse(response) ?? { rows: [], bad: [] };
      return rejectConflicts(parsed).bad;
    });
    expect(bad.map(({ parsed }) => parsed?.fields)).toEqual([
      undefined,
      expect.objectContaining({ amount: expect.any(String) as string }),
    ]);
    expect(bad[1]?.detail).toMatch(/differs in amount$/);
  });

  it('generates no responses if no time has passed', () => {
    expect(responsesOf(NOW, NOW)).toEqual([]);
  });
});

/** Returns the newest row for every report, without the values from the day before a release. */
function stateOf(responses: readonly SourceResponse[]): Map<string, object> {
  const state = new Map<string, object>();
  for (const response of responses) {
    for (const row of read(response)) {
      if (row.dataset === 'earnings') state.set(`${row.entityKey} ${row.naturalKey}`, row.fields);
    }
  }
  return new Map([...state].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

describe('sandbox feeds', () => {
  const response = (text: string): SourceResponse =>
    createSourceResponse({
      url: 'sandbox://market/calendar?at=1',
      status: 200,
      contentType: 'application/json',
      observedAt: 1,
      text,
    });
  const feed = createSandbox().feeds.find((each) => each.name === 'calendar');

  it.each(['', '<html>', '[]', '{"sandbox":"quotes","rows":[]}', '{"sandbox":"calendar"}'])(
    'rejects the response body %s',
    (text) => {
      expect(() => feed?.parse(response(text))).toThrow(SourceResponseError);
    },
  );

  it('keeps an invalid row with its reason and continues with the next row', () => {
    const validRow = responsesOf(NOW, NOW + DAY_MS).find((each) => feed?.claims(each));
    const body = validRow?.json() as { rows: object[] };
    const row = body.rows[0];
    const rows = [
      null,
      { ...row, date: '2026-02-30' },
      { ...row, session: 'noon' },
      { ...row, estimate: { eps: 1, revenue: '1', analysts: 1 } },
      { ...row, symbol: '' },
      row,
    ];
    const parsed = feed?.parse(response(JSON.stringify({ sandbox: 'calendar', rows })));
    expect(parsed?.bad.map((bad) => bad.reason)).toEqual([
      'not-an-object',
      'bad-date',
      'unknown-word',
      'wrong-type',
      'bad-symbol',
    ]);
    expect(parsed?.rows).toHaveLength(1);
  });
});
