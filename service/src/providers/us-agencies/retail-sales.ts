import { atReleases } from './at-releases.ts';
import { normalizeDecimal } from '../../domain/decimal.ts';
import { makeLocalDate } from '../../domain/local-date.ts';
import { rejectFailedStatus } from '../kit/json.ts';
import {
  type Feed,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { awaitsFigure } from './awaited.ts';
import { CENSUS_HOST } from './census-schedule.ts';
import { agencyRequest } from './request.ts';
import { readSeriesFigures } from './series-figures.ts';
import type { Figure, Point } from './series-values.ts';

const SOURCE_URL = 'https://www.census.gov/retail/sales.html';

/** A text file of one series, with the events that it gives. */
interface RetailFile {
  path: string;
  events: readonly { stem: string; figure: Figure }[];
}

const FILES: readonly RetailFile[] = [
  {
    path: '/retail/marts/www/adv44X72.txt',
    events: [
      { stem: 'us-retail-sales-mom', figure: 'change-of-month' },
      { stem: 'us-retail-sales-yoy', figure: 'change-of-year' },
    ],
  },
  {
    path: '/retail/marts/www/adv44Y72.txt',
    events: [{ stem: 'us-core-retail-sales-mom', figure: 'change-of-month' }],
  },
];
/** The adjusted sales come first; the factors of the adjustment follow. */
const FACTORS = /seasonal\s+factors/i;
/** A year with a value in millions of dollars for each published month. */
const YEAR = /^\s*((?:19|20)\d{2})((?:\s+[\d,]+){1,12})\s*$/gm;

/**
 * Advance retail sales from the public text files of the Census Bureau: the changes of all adjusted
 * sales, and of those without motor vehicles. The files need no key and have no release date.
 */
export const retailSales: Feed = {
  name: 'retail-sales',
  datasets: ['economic-events'],
  ranks: { 'economic-events': ['regulator', 90] },
  schedule: [{ name: 'figures', times: atReleases('08:30'), scope: 'all', priority: 'prompt' }],
  claims: (response) => fileOf(response) !== undefined,
  parse,
  plan: (context) =>
    FILES.filter(({ events }) => events.some(({ stem }) => awaitsFigure(context, stem))).map(
      ({ path }) => agencyRequest(`https://${CENSUS_HOST}${path}`, 'text/plain', context),
    ),
};

function fileOf({ host, path }: SourceResponse): RetailFile | undefined {
  const folded = (path.split('?')[0] ?? '').toLowerCase();
  if (host !== CENSUS_HOST) return undefined;
  return FILES.find((file) => file.path.toLowerCase() === folded);
}

function parse(response: SourceResponse): ParseResult {
  rejectFailedStatus(response);
  const points = pointsOf(response.text.split(FACTORS)[0] ?? '');
  if (points.length === 0) {
    throw new SourceResponseError('damaged', 'no-sales', 'the file has no monthly sales');
  }
  const events = fileOf(response)?.events ?? [];
  return readSeriesFigures(
    response,
    events.map((event) => ({ ...event, points, sourceUrl: SOURCE_URL })),
  );
}

/** Returns the sales by month. Only the first block of years counts; others are not adjusted. */
function pointsOf(text: string): Point[] {
  const points = new Map<string, Point>();
  for (const [, year, values = ''] of text.matchAll(YEAR)) {
    for (const [index, raw] of values.trim().split(/\s+/).entries()) {
      const start = makeLocalDate(Number(year), index + 1, 1);
      const value = normalizeDecimal(raw.replaceAll(',', ''));
      if (start === null || value === null || points.has(start)) continue;
      points.set(start, { length: 'month', start, value });
    }
  }
  return [...points.values()];
}
