import {
  compareDecimals,
  type Decimal,
  multiplyDecimals,
  normalizeDecimal,
} from '../../../domain/decimal.ts';
import { type SourceText, sourceOffset } from '../html/source-text.ts';
import { type Sentence, sentencesOf } from './sentences.ts';

/** A range that the company expects. */
export interface Guidance {
  metric: 'eps' | 'epsAdjusted' | 'revenue';
  /** `quarter` or `year`; null if the text does not say which. */
  period: 'quarter' | 'year' | null;
  low: Decimal;
  /** Equal to `low` for a single figure. */
  high: Decimal;
  unit: string;
  /** The sentence or the row of a table. */
  row: string;
  column: '';
  offset: number;
}

const FORECAST =
  /\b(?:expect(?:s|ed|ing|ations?)?|guidance|outlook|anticipat\w+|forecasts?|project(?:s|ed|ing|ions?)|targets?|estimates?d?|reaffirm\w*|reiterat\w*|(?:rais|lower|updat|narrow)(?:es|ed|ing)|sees)\b/i;
const NUMBER = String.raw`(?:[$€£]|RMB ?|EUR ?)? ?\(?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)\)?(?: (million|billion))?`;
const RANGE = new RegExp(
  String.raw`(?<![\w.,])${NUMBER}(?: per (?:diluted )?share)? ?(?:to|and|through|-|–|—) ?${NUMBER}`,
  'gi',
);
const METRICS: readonly (readonly [RegExp, Guidance['metric'] | null])[] = [
  [
    /\b(?:adjusted|non-?gaap|core|operating)[^.;:]{0,60}?(?:\beps\b|per (?:\w+ ){0,2}?share\d?)/gi,
    'epsAdjusted',
  ],
  [/\bnon-?gaap\b\s*:/gi, 'epsAdjusted'],
  [/\b(?:eps|(?:earnings|income|loss) per (?:\w+ ){0,2}?share\d?)\b/gi, 'eps'],
  [
    /\b(?:segment|subscription|product|services?|organic|license|arr|cost of|deferred|same-?store|comparable) (?:\w+ )?(?:revenues?|sales)\b/gi,
    null,
  ],
  [/\b(?:revenues?|net sales|sales)\b/gi, 'revenue'],
  [
    /\b(?:ebitda|capital expenditures?|capex|cash flow|tax rate|expenses?|margin|income|shares?|ffo|depreciation|interest|savings|costs?|stores?|dividends?|arr)\b/gi,
    null,
  ],
];
const PAST = /\b(?:was|were|reported|compared|totaled|declared|repurchased)\b/i;
/** Sentences that a heading such as `Outlook` or `Financial targets` introduces. */
const HEADING_REACH = 8;

/** Finds expected ranges of revenue and of earnings per share. */
export function findGuidance(passages: readonly SourceText[], currency: string): Guidance[] {
  const found: Guidance[] = [];
  let reach = 0;
  let period: Guidance['period'] = null;
  for (const passage of passages) {
    for (const sentence of sentencesOf(passage)) {
      const isForecast = FORECAST.test(sentence.text);
      reach = isForecast ? HEADING_REACH : reach - 1;
      period = periodOf(sentence.text) ?? (reach > 0 ? period : null);
      if (reach <= 0 || (PAST.test(sentence.text) && !isForecast)) continue;
      found.push(...rangesIn(sentence, period, currency));
    }
  }
  const keys = new Map(found.map((each) => [`${each.metric} ${each.period} ${each.low}`, each]));
  return [...keys.values()];
}

function rangesIn(sentence: Sentence, period: Guidance['period'], currency: string): Guidance[] {
  return [...sentence.text.matchAll(RANGE)].flatMap((match) => {
    const before = sentence.text.slice(0, match.index);
    const metric = metricOf(before, sentence.text.slice(match.index, match.index + 120));
    const range = rangeOf(match);
    if (metric === null || range === null || !isPlausible(metric, match, range.low)) return [];
    return [
      {
        metric,
        period: periodOf(before.slice(-150)) ?? period,
        ...range,
        unit: metric === 'revenue' ? currency : `${currency}/share`,
        row: sentence.text.trim().slice(0, 400),
        column: '' as const,
        offset: sourceOffset(sentence.passage, sentence.start + match.index),
      },
    ];
  });
}

function rangeOf(match: RegExpExecArray): { low: Decimal; high: Decimal } | null {
  const [, lowDigits = '', lowUnit, highDigits = '', highUnit] = match;
  const low = amountOf(lowDigits, lowUnit ?? highUnit);
  const high = amountOf(highDigits, highUnit);
  if (low === null || high === null) return null;
  return compareDecimals(low, high) <= 0 ? { low, high } : { low: high, high: low };
}

function amountOf(digits: string, unit: string | undefined): Decimal | null {
  const value = normalizeDecimal(digits.replaceAll(',', '').replace(/^\./, '0.'));
  if (value === null || unit === undefined) return value;
  return multiplyDecimals(value, /^b/i.test(unit) ? '1000000000' : '1000000');
}

/** The last metric before the range says what it is; per-share words may follow it. */
function metricOf(before: string, after: string): Guidance['metric'] | null {
  let last: { index: number; metric: Guidance['metric'] | null } | undefined;
  for (const [shape, metric] of METRICS) {
    for (const match of before.matchAll(shape)) {
      const index = match.index + match[0].length;
      if (last === undefined || index > last.index) last = { index, metric };
    }
  }
  const isPerShare = /^[^a-z]*(?:to|and)?[^a-z]*per (?:\w+ ){0,2}?share/i.test(after);
  if (isPerShare && last?.metric !== 'epsAdjusted') {
    return /\b(?:adjusted|non-?gaap|core)\b/i.test(before.slice(-120)) ? 'epsAdjusted' : 'eps';
  }
  return last?.metric ?? null;
}

function isPlausible(metric: Guidance['metric'], match: RegExpExecArray, low: Decimal): boolean {
  const hasUnit = match[2] !== undefined || match[4] !== undefined;
  if (/%/.test(match.input.slice(match.index, match.index + match[0].length + 2))) return false;
  if (metric === 'revenue') return hasUnit;
  return !hasUnit && low.includes('.') && /[$€£]|RMB|EUR/.test(match[0]);
}

function periodOf(text: string): Guidance['period'] {
  const quarter = text.search(/\bquarter\b|\bQ[1-4]\b/i);
  const year = text.search(
    /\b(?:full[- ]year|fiscal (?:year )?20\d\d|fiscal year|annual|for 20\d\d|year 20\d\d|20\d\d (?:guidance|outlook|targets?))\b/i,
  );
  if (/\bquarter (?:of )?(?:fiscal )?(?:year )?(?:20\d\d)?\b/i.test(text)) return 'quarter';
  if (quarter >= 0 && (year < 0 || quarter < year)) return 'quarter';
  return year >= 0 ? 'year' : null;
}
