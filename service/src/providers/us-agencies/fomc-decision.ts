import { atReleases } from './at-releases.ts';
import {
  addDecimals,
  type Decimal,
  decimalToNumber,
  divideDecimals,
  subtractDecimals,
} from '../../domain/decimal.ts';
import { makeLocalDate } from '../../domain/local-date.ts';
import { readText, required } from '../kit/fields.ts';
import { parseMarkup, visibleText } from '../kit/html.ts';
import { type JsonObject, rejectFailedStatus } from '../kit/json.ts';
import { RowError } from '../kit/row-error.ts';
import {
  type Feed,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { awaitedDays } from './awaited.ts';
import { readTwelveHourTime } from './clock-text.ts';
import { FEDERAL_RESERVE_HOST } from './fomc-calendar.ts';
import { agencyRequest } from './request.ts';
import { readReleases, releaseRow, type ReleaseTime } from './schedule-calendar.ts';

const STEM = 'us-fomc-rate-decision';
/** Press releases on monetary policy have their day in the address. The statement comes first. */
const PATH = /^\/newsevents\/pressreleases\/monetary(\d{4})(\d{2})(\d{2})a\.htm$/;
const RATE = String.raw`\d{1,2}(?:-\d\/\d|\.\d{1,3})?|\d\/\d`;
const CHANGE = String.raw`(?:\s+by\s+(${RATE})\s+percentage\s+points?,?)?`;
/** `decided to lower the target range for the federal funds rate by 1/4 percentage point to 3-3/4 to 4 percent`. */
const DECISION = new RegExp(
  String.raw`\b(maintain|keep|lower|reduce|decrease|raise|increase)\s+the\s+target\s+range\s+for\s+the\s+federal\s+funds\s+rate${CHANGE}\s+(?:at|to)\s+(${RATE})\s+to\s+(${RATE})\s+percent`,
  'i',
);

/**
 * The statement of the Federal Open Market Committee. The figure is the upper end of the target range
 * for the federal funds rate, as the rate decision is quoted in the market.
 */
export const fomcDecision: Feed = {
  name: 'fomc-decision',
  datasets: ['economic-events'],
  ranks: { 'economic-events': ['regulator', 170] },
  schedule: [{ name: 'figures', times: atReleases('14:00'), scope: 'all', priority: 'prompt' }],
  claims: (response) => response.host === FEDERAL_RESERVE_HOST && PATH.test(response.path),
  parse,
  plan: (context) =>
    awaitedDays(context, STEM).map((day) => {
      const path = `/newsevents/pressreleases/monetary${day.replaceAll('-', '')}a.htm`;
      return agencyRequest(`https://${FEDERAL_RESERVE_HOST}${path}`, 'text/html', context);
    }),
};

function parse(response: SourceResponse): ParseResult {
  rejectFailedStatus(response);
  const text = plainText(visibleText(parseMarkup(response.text, 'html')));
  const decision = DECISION.exec(text);
  if (decision === null) {
    throw new SourceResponseError(
      'unsupported',
      'no-rate-decision',
      'the press release states no target range',
    );
  }
  const [, verb, change, lower, upper] = decision;
  const released = /For release at ([^.]*\.?m\b)/i.exec(text)?.[1] ?? '';
  return readReleases([{ verb, change, lower, upper, released }], (row) => {
    const [, year, month, day] = PATH.exec(response.path) ?? [];
    const date = makeLocalDate(Number(year), Number(month), Number(day));
    if (date === null) throw new RowError('bad-date', `the address is ${response.path}`);
    const time = readTwelveHourTime(readText(row, 'released') ?? '');
    const schedule: ReleaseTime =
      time === null ? { date, time, timeStatus: 'all-day' } : { date, time, timeStatus: 'exact' };
    const rate = readRate(required(readText(row, 'upper'), 'upper'));
    return releaseRow(
      {
        eventName: STEM,
        ...schedule,
        actual: rateText(rate),
        previous: rateBefore(rate, row),
        sourceUrl: response.url,
        naturalKey: `${STEM}/${date}`,
      },
      { stem: STEM, list: null },
    );
  });
}

/** Returns the rate before the decision; null if the statement does not imply it. */
function rateBefore(rate: Decimal, row: JsonObject): string | null {
  const verb = required(readText(row, 'verb'), 'verb').toLowerCase();
  if (verb === 'maintain' || verb === 'keep') return rateText(rate);
  const change = readText(row, 'change');
  if (change === null) return null;
  const isRaise = verb === 'raise' || verb === 'increase';
  return rateText((isRaise ? subtractDecimals : addDecimals)(rate, readRate(change)));
}

/** Replaces the hyphens of other fonts, as in `3‑1/2`, by the plain one. */
function plainText(text: string): string {
  return text.replaceAll(/[\u2010-\u2015\u2212]/g, '-');
}

/** Reads `4`, `3-3/4`, `1/4` or `4.25`. */
function readRate(text: string): Decimal {
  const [, whole = '0', numerator, denominator] = /^(?:(\d+)-)?(\d)\/(\d)$/.exec(text) ?? [];
  if (numerator === undefined || denominator === undefined) return text;
  const fraction = divideDecimals(numerator, denominator, 4);
  if (fraction === null) throw new RowError('bad-number', `the rate is ${text}`);
  return addDecimals(whole, fraction);
}

function rateText(rate: Decimal): string {
  return `${decimalToNumber(rate).toFixed(2)}%`;
}
