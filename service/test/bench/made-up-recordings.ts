import {
  upcomingRow,
  calendarUrl,
  companyfacts,
  companyfactsUrl,
  envelope,
  pastRow,
  screenerRow,
  screenerUrl,
  submissions,
  submissionsUrl,
  tickers,
  TICKERS_URL,
  writeRecording,
} from '../support/write-recording.ts';

const NIGHTS = 20;
const LISTED = 3_000;
const FILERS = 10_000;
const DAYS = 60;
const REPORTS_A_DAY = 60;
const COMPANIES = 40;
const QUARTERS = 40;
const DAY_MS = 86_400_000;
const FIRST_NIGHT = Date.UTC(2026, 0, 5, 23);

/**
 * Writes recordings of made-up companies: nightly price lists that hardly change, earnings calendar
 * days before and after the reports, one long list of filers, and pages for single filers.
 */
export function writeMadeUpRecordings(root: string): void {
  const list = Array.from({ length: FILERS }, (_, at): [number, string, string] => [
    1_900_000 + at,
    `${symbolOf(at)} Tools Inc`,
    symbolOf(at),
  ]);
  const recordedAt = instantOf(FIRST_NIGHT - DAY_MS);
  writeRecording(root, {
    path: 'sec/tickers',
    url: TICKERS_URL,
    body: tickers(...list),
    recordedAt,
  });
  for (let night = 0; night < NIGHTS; night++) writeNight(root, night);
  for (let day = 0; day < DAYS; day++) writeDay(root, day);
  for (let at = 0; at < COMPANIES; at++) writeCompany(root, at);
}

/**
 * Writes one night's price list. Prices change every night, and every hundredth company changes its
 * name.
 */
function writeNight(root: string, night: number): void {
  const rows = Array.from({ length: LISTED }, (_, at) =>
    screenerRow(symbolOf(at), {
      lastsale: `$${(20 + ((at * 7 + night * 13) % 900) / 10).toFixed(2)}`,
      marketCap: String(1_000_000_000 + at * 1_000_000 + night * 10_000),
      ...(at % 100 === night && { name: `${symbolOf(at)} Renamed Inc. Common Stock` }),
    }),
  );
  writeRecording(root, {
    path: `screener/${night}`,
    url: screenerUrl('nyse'),
    body: envelope(rows),
    recordedAt: instantOf(FIRST_NIGHT + night * DAY_MS),
  });
}

function writeDay(root: string, day: number): void {
  const date = instantOf(FIRST_NIGHT + day * DAY_MS).slice(0, 10);
  const symbols = Array.from({ length: REPORTS_A_DAY }, (_, at) =>
    symbolOf((day * REPORTS_A_DAY + at) % LISTED),
  );
  for (const [name, row, atMs] of [
    ['ahead', upcomingRow, -3 * DAY_MS],
    ['past', pastRow, DAY_MS],
  ] as const) {
    writeRecording(root, {
      path: `calendar/${date}-${name}`,
      url: calendarUrl(date),
      body: envelope(symbols.map((symbol) => row(symbol))),
      recordedAt: instantOf(FIRST_NIGHT + day * DAY_MS + atMs),
    });
  }
}

function writeCompany(root: string, at: number): void {
  const cik = String(1_900_000 + at).padStart(10, '0');
  const ends = Array.from({ length: QUARTERS }, (_, back) => quarterEndBefore(back));
  const recordedAt = instantOf(FIRST_NIGHT + at * 60_000);
  writeRecording(root, {
    path: `submissions/${cik}`,
    url: submissionsUrl(cik),
    body: submissions(
      cik,
      symbolOf(at),
      ends.map(({ end }) => instantOf(Date.parse(end) + 35 * DAY_MS + 75_900_000)),
    ),
    recordedAt,
  });
  const quarters = ends.map((quarter) => ({ ...quarter, revenue: 1_000_000 + at }));
  writeRecording(root, {
    path: `companyfacts/${cik}`,
    url: companyfactsUrl(cik),
    body: companyfacts(cik, quarters),
    recordedAt,
  });
}

function quarterEndBefore(back: number): { start: string; end: string; fp: string } {
  const quarter = 2025 * 4 + 2 - back;
  const [year, at] = [Math.floor(quarter / 4), quarter % 4];
  const start = instantOf(Date.UTC(year, at * 3, 1)).slice(0, 10);
  return { start, end: instantOf(Date.UTC(year, at * 3 + 3, 0)).slice(0, 10), fp: `Q${at + 1}` };
}

/** Returns `AAAA`, `AAAB`, … */
function symbolOf(at: number): string {
  const letters = [17_576, 676, 26, 1].map((unit) => Math.floor(at / unit) % 26);
  return String.fromCharCode(...letters.map((letter) => 65 + letter));
}

function instantOf(ms: number): string {
  return new Date(ms).toISOString();
}
