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
import { FEDERAL_RESERVE_HOST } from './fomc-calendar.ts';
import { agencyRequest } from './request.ts';
import { readSeriesFigures } from './series-figures.ts';
import type { Figure, Point } from './series-values.ts';

const PATH = /^\/releases\/g17\/(?:current\/)?ipdisk\/ip_sa\.txt$/i;
const URL = `https://${FEDERAL_RESERVE_HOST}/releases/g17/Current/ipdisk/ip_sa.txt`;
const SOURCE_URL = `https://${FEDERAL_RESERVE_HOST}/releases/g17/current/default.htm`;
/** A year of the total index: code, year, and a value for each published month. */
const YEAR = /^"B50001"\s+(\d{4})((?:\s+[\d.]+){0,12})\s*$/gm;
const EVENTS: readonly { stem: string; figure: Figure }[] = [
  { stem: 'us-industrial-production-mom', figure: 'change-of-month' },
  { stem: 'us-industrial-production-yoy', figure: 'change-of-year' },
];

/**
 * Industrial production (release G.17 of the Federal Reserve): the changes of the seasonally adjusted
 * total index, with those of the month before as revised since. The file has no release date; that
 * comes from the calendar.
 */
export const industrialProduction: Feed = {
  name: 'industrial-production',
  datasets: ['economic-events'],
  ranks: { 'economic-events': ['regulator', 180] },
  schedule: [{ name: 'figures', times: atReleases('09:15'), scope: 'all', priority: 'prompt' }],
  claims: (response) =>
    response.host === FEDERAL_RESERVE_HOST && PATH.test(response.path.split('?')[0] ?? ''),
  parse,
  plan: (context) =>
    EVENTS.some(({ stem }) => awaitsFigure(context, stem))
      ? [agencyRequest(URL, 'text/plain', context)]
      : [],
};

function parse(response: SourceResponse): ParseResult {
  rejectFailedStatus(response);
  const points = pointsOf(response.text);
  if (points.length === 0) {
    throw new SourceResponseError('damaged', 'no-total-index', 'the file has no total index');
  }
  return readSeriesFigures(
    response,
    EVENTS.map((event) => ({ ...event, points, sourceUrl: SOURCE_URL })),
  );
}

/** Returns the published months. Months that are not yet published are zero or absent. */
function pointsOf(text: string): Point[] {
  return [...text.matchAll(YEAR)].flatMap(([, year, values = '']) =>
    values
      .trim()
      .split(/\s+/)
      .flatMap((raw, index): Point[] => {
        const start = makeLocalDate(Number(year), index + 1, 1);
        const value = normalizeDecimal(raw);
        if (start === null || value === null || value === '0') return [];
        return [{ length: 'month', start, value }];
      }),
  );
}
