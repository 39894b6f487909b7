import type { Random } from '../../src/platform/random.ts';
import { createSourceResponse } from '../../src/providers/source-response.ts';
import type { SourceResponse } from '../../src/providers/provider.ts';
import { upcomingRow, calendarUrl, envelope, screenerRow, screenerUrl } from './write-recording.ts';

/** A response whose rows may be in any order. */
export interface UnorderedResponse {
  rows: readonly string[];
  observedAt: number;
  /** Returns the response with its rows in this order. */
  ordered(rows: readonly string[]): SourceResponse;
}

const STARTED_AT = Date.parse('2026-10-01T12:00:00Z');
const HOUR_MS = 3_600_000;
const DAYS = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'];
export const REVISED_DAYS: readonly string[] = DAYS;

/** Returns the symbol for a company's number, using only letters. */
export function companyOf(number: number): string {
  const letters = [...number.toString(26).padStart(3, '0')].map((digit) =>
    String.fromCharCode(65 + Number.parseInt(digit, 26)),
  );
  return `Q${letters.join('')}`;
}

/**
 * Returns source responses about this number of companies, in rounds. Each round revises estimates,
 * moves some reports to a different day, restates sectors, and corrects one session's prices.
 */
export function revisedWorld(
  random: Random,
  { companies, rounds, sessions }: { companies: number; rounds: number; sessions: number },
): UnorderedResponse[] {
  const symbols = Array.from({ length: companies }, (_, number) => companyOf(number));
  const dayOf = symbols.map(() => random.int(DAYS.length));
  const responses: UnorderedResponse[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const observedAt = STARTED_AT + round * 24 * HOUR_MS;
    for (const [index] of symbols.entries()) {
      if (random.int(20) === 0) dayOf[index] = random.int(DAYS.length);
    }
    for (const [day, date] of DAYS.entries()) {
      const rows = symbols
        .filter((_, index) => dayOf[index] === day)
        .map((symbol) => JSON.stringify(upcomingRow(symbol, revision(random))));
      responses.push(json(calendarUrl(date), rows, observedAt + day * HOUR_MS));
    }
    const listed = symbols.map((symbol) => JSON.stringify(screenerRow(symbol, listing(random))));
    responses.push(json(screenerUrl('nyse'), listed, observedAt + 6 * HOUR_MS));
    for (let session = 1; session <= sessions; session += 1) {
      const date = `2026-09-${String(session).padStart(2, '0')}`;
      const rows = symbols.map((symbol) => `${symbol},${date},${price(random)},${random.int(9e6)}`);
      responses.push(table(rows, observedAt + 7 * HOUR_MS + session));
    }
  }
  return responses;
}

function revision(random: Random): object {
  return {
    time: ['time-pre-market', 'time-after-hours', 'time-not-supplied'][random.int(3)],
    epsForecast: random.int(10) === 0 ? 'N/A' : `$${price(random)}`,
    noOfEsts: String(1 + random.int(9)),
  };
}

function listing(random: Random): object {
  return {
    sector: ['Technology', 'Industrials', ''][random.int(3)],
    lastsale: `$${price(random)}`,
    country: ['United States', 'Ireland'][random.int(2)],
  };
}

function price(random: Random): string {
  return `${1 + random.int(90)}.${10 + random.int(90)}`;
}

function json(url: string, rows: readonly string[], observedAt: number): UnorderedResponse {
  const envelopeText = JSON.stringify(envelope('ROWS'));
  const raw = { url, status: 200, contentType: 'application/json', observedAt };
  return {
    rows,
    observedAt,
    ordered: (orderedRows) =>
      createSourceResponse({
        ...raw,
        text: envelopeText.replace('"ROWS"', () => `[${orderedRows.join(',')}]`),
      }),
  };
}

function table(rows: readonly string[], observedAt: number): UnorderedResponse {
  const url = 'file:///prices/2026-bars.csv';
  const raw = { url, status: 200, contentType: 'text/csv', observedAt };
  return {
    rows,
    observedAt,
    ordered: (orderedRows) =>
      createSourceResponse({
        ...raw,
        text: `Symbol,Date,Close,Volume\n${orderedRows.join('\n')}\n`,
      }),
  };
}
