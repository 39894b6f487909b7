import { atReleases } from './at-releases.ts';
import type { Vintage } from '../../datasets/economic-events/delayed-releases.ts';
import {
  addDays,
  addMonths,
  type LocalDate,
  localDate,
  monthOf,
  yearOf,
} from '../../domain/local-date.ts';
import { monthName } from '../../domain/month-number.ts';
import { readText, required } from '../kit/fields.ts';
import { elementsOfTag, parseMarkup, visibleText } from '../kit/html.ts';
import { rejectFailedStatus } from '../kit/json.ts';
import { readRows } from '../kit/read-rows.ts';
import {
  type Feed,
  type FeedRequest,
  type ParseResult,
  type PlanContext,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { awaitedDays } from './awaited.ts';
import { BEA_HOST } from './bea-schedule.ts';
import { undatedFigureRow } from './figure-row.ts';
import { readReleaseTitle } from './release-title.ts';
import { agencyRequest } from './request.ts';

const PATH =
  /^\/news\/\d{4}\/(?:personal-income-and-outlays|gdp|gross-domestic-product)-[a-z0-9-]+$/;
/** Usual time from the end of a period to its release. Selects the month of the release. */
const LAG_DAYS = 28;
const VINTAGES: readonly Vintage[] = ['advance', 'second', 'third'];

const MOVE = String.raw`(increased|rose|decreased|fell|declined|was unchanged)(?:\s+at an annual rate of)?(?:\s+(?:by\s+)?(\d+\.\d)\s+percent)?`;
/** `increased $90.0 billion (0.4 percent at a monthly rate)`. */
const AMOUNT = String.raw`(increased|rose|decreased|fell|declined|was unchanged)(?:\s+(?:less than\s+)?\$[\d.]+\s+(?:b|tr|m)illion\s+\((?:less than\s+)?-?(\d+\.\d)\s+percent)?`;

/** The sentence of each figure. Words and amount of the change are its first two groups. */
const MONTHLY: readonly { stem: string; sentence: RegExp }[] = [
  {
    stem: 'us-personal-income-mom',
    sentence: new RegExp(String.raw`\bpersonal income ${AMOUNT}`, 'i'),
  },
  {
    stem: 'us-personal-spending-mom',
    sentence: new RegExp(String.raw`personal consumption expenditures \(PCE\) ${AMOUNT}`, 'i'),
  },
  { stem: 'us-pce-mom', sentence: priceSentence('from the preceding month', false) },
  { stem: 'us-core-pce-mom', sentence: priceSentence('from the preceding month', true) },
  { stem: 'us-pce-yoy', sentence: priceSentence('from the same month one year ago', false) },
  { stem: 'us-core-pce-yoy', sentence: priceSentence('from the same month one year ago', true) },
];
const QUARTERLY: readonly { stem: string; sentence: RegExp }[] = [
  {
    stem: 'us-gdp-qoq',
    sentence: new RegExp(String.raw`real gross domestic product \(GDP\) ${MOVE}`, 'i'),
  },
];

/** Matches a change of the price index that a phrase introduces; for `isCore`, its next sentence. */
function priceSentence(phrase: string, isCore: boolean): RegExp {
  const all = String.raw`${phrase},? the PCE price index(?: for [a-z]+)? `;
  const core = String.raw`${all}[^.]*(?:\.\d[^.]*)?\.\s+excluding food and energy,? the PCE price index `;
  return new RegExp(`${isCore ? core : all}${MOVE}`, 'i');
}

/**
 * The news releases on income and outlays and on the gross domestic product: the figures in their
 * text, without a key. Addresses follow from the titles; that of a third estimate does not.
 */
export const beaRelease: Feed = {
  name: 'bea-release',
  datasets: ['economic-events'],
  ranks: { 'economic-events': ['regulator', 50] },
  schedule: [
    { name: 'figures', times: atReleases('08:30', '10:00'), scope: 'all', priority: 'prompt' },
  ],
  claims: (response) => response.host === BEA_HOST && PATH.test(response.path.split('?')[0] ?? ''),
  parse,
  plan,
};

function plan(context: PlanContext): FeedRequest[] {
  const months = MONTHLY.flatMap(({ stem }) => awaitedDays(context, stem));
  const quarters = QUARTERLY.flatMap(({ stem }) => awaitedDays(context, stem));
  const paths = [...months.map(incomePath), ...quarters.flatMap(productPath)];
  return [...new Set(paths)].map((path) =>
    agencyRequest(`https://${BEA_HOST}${path}`, 'text/html', context),
  );
}

/** Returns the address of the release on income and outlays of the month before a day. */
function incomePath(day: LocalDate): string {
  const month = addMonths(localDate(`${day.slice(0, 7)}-01`), -1);
  const period = `${monthName(monthOf(month))}-${yearOf(month)}`;
  return `/news/${yearOf(day)}/personal-income-and-outlays-${period}`;
}

/** Returns the address of an advance or second estimate that is released on a day. */
function productPath(day: LocalDate): string[] {
  const quarter = Math.ceil(monthOf(day) / 3);
  const [year, number] = quarter === 1 ? [yearOf(day) - 1, 4] : [yearOf(day), quarter - 1];
  const ordinal = ['1st', '2nd', '3rd', '4th'][number - 1] ?? '';
  const period = `${ordinal}-quarter-${number === 4 ? 'and-year-' : ''}${year}`;
  const title = ['gdp-advance-estimate', 'gdp-second-estimate-and-corporate-profits'];
  const prefix = title[(monthOf(day) - 1) % 3];
  return prefix === undefined ? [] : [`/news/${yearOf(day)}/${prefix}-${period}`];
}

function parse(response: SourceResponse): ParseResult {
  rejectFailedStatus(response);
  const page = parseMarkup(response.text, 'html');
  const titles = elementsOfTag(page, 'h1', 'title').map(visibleText);
  const stated = titles.map(readReleaseTitle).find(({ period }) => period !== null);
  const period = stated?.period ?? null;
  const text = visibleText(page).replaceAll('\u2019', "'");
  const isQuarter = period !== null && /-Q\d$/.test(period);
  const sentences = (isQuarter ? QUARTERLY : MONTHLY).flatMap(({ stem, sentence }) => {
    const match = sentence.exec(text);
    return match === null ? [] : [{ stem, verb: match[1], amount: match[2] ?? null }];
  });
  const vintage = stated?.vintage ?? null;
  if (period === null || sentences.length === 0 || (isQuarter && vintage === null)) {
    throw new SourceResponseError('unsupported', 'no-figures', 'the release states no figures');
  }
  const months = isQuarter ? Math.max(0, VINTAGES.indexOf(vintage ?? 'advance')) : 0;
  const date = addDays(endOfPeriod(period), LAG_DAYS * (months + 1));
  return readRows({
    dataset: 'economic-events',
    rows: sentences,
    entityKeyOf: () => date.slice(0, 7),
    read(row) {
      const verb = required(readText(row, 'verb'), 'verb').toLowerCase();
      const amount = verb === 'was unchanged' ? '0.0' : required(readText(row, 'amount'), 'amount');
      const isFall = /^(?:decreased|fell|declined)$/.test(verb) && amount !== '0.0';
      return undatedFigureRow({
        stem: required(readText(row, 'stem'), 'stem'),
        period,
        vintage,
        date,
        actual: `${isFall ? '-' : ''}${amount}%`,
        sourceUrl: response.url,
      });
    },
  });
}

/** Returns the last day of `2026-10` or `2026-Q3`. */
function endOfPeriod(period: string): LocalDate {
  const [, year, quarter] = /^(\d{4})-Q([1-4])$/.exec(period) ?? [];
  const start =
    quarter === undefined
      ? `${period}-01`
      : `${year}-${String(Number(quarter) * 3).padStart(2, '0')}-01`;
  return addDays(addMonths(localDate(start), 1), -1);
}
