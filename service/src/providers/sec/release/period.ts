import {
  daysBetween,
  lastDayOfMonth,
  type LocalDate,
  makeLocalDate,
} from '../../../domain/local-date.ts';
import { monthNumber } from '../../../domain/month-number.ts';

/** A period as a column head or a sentence names it. Parts that it does not name are null. */
export interface Period {
  /** Length in months: 3 for a quarter of 12 to 17 weeks, 12 for a year. 1 for a single month. */
  months: number | null;
  year: number | null;
  month: number | null;
  day: number | null;
  /** Fiscal quarter or, with `months` 6, half. */
  quarter: number | null;
}

export const NO_PERIOD: Period = {
  months: null,
  year: null,
  month: null,
  day: null,
  quarter: null,
};

const NUMBERS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  six: 6,
  nine: 9,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  sixteen: 16,
  seventeen: 17,
  'twenty-four': 24,
  'twenty-six': 26,
  'twenty-seven': 27,
  'twenty-eight': 28,
  'thirty-six': 36,
  'thirty-nine': 39,
  forty: 40,
  'fifty-two': 52,
  'fifty-three': 53,
};
const COUNT = `(\\d{1,2}|${Object.keys(NUMBERS)
  .toSorted((a, b) => b.length - a.length)
  .join('|')
  .replaceAll('-', '[- ]')})`;
const MONTHS = new RegExp(`\\b${COUNT}[- ]*(?:calendar )?months?\\b|\\b${COUNT}[- ]mos?\\b`, 'i');
/** `9M20`, `6M 2021`. */
const SHORT_MONTHS = /\b(3|6|9|12)M(?=['’]?\s?(?:\d\d)?\d\d\b|\b)/;
const WEEKS = new RegExp(`\\b${COUNT}[- ]*weeks?\\b`, 'i');
const ORDINALS: readonly (readonly [RegExp, number])[] = [
  [/\b(?:first|1st)\b/i, 1],
  [/\b(?:second|2nd)\b/i, 2],
  [/\b(?:third|3rd)\b/i, 3],
  [/\b(?:fourth|4th)\b/i, 4],
];
const QUARTER_LABEL = /\bQ([1-4])\b|\bQ([1-4])(?=['’]?\s?\d\d)|\b([1-4])Q(?=\b|['’]?\s?\d\d)/i;
const QUARTER_WORD = /\bquarter(?:s|ly|ended)?\b|\bqtrs?\b|\bthree[- ]month/i;
const HALF = /\b(?:half[- ]?year(?:ly)?|(?:first|second|1st|2nd) half|[12]H|H[12])(?=\b|\d)/i;
const YEAR_TO_DATE = /\b(?:year[- ]to[- ]date|ytd)\b/i;
const WHOLE_YEAR =
  /\b(?:years?|full[- ]year|twelve[- ]months?|annual|fy|fiscal(?: year)?|12m|ltm)\b|\bFY ?['’]?\d\d/i;
const NAME =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|' +
  'sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const MONTH_DAY = new RegExp(`\\b${NAME}\\.?\\s*(\\d{1,2})(?!\\d)(?:st|nd|rd|th)?`, 'i');
const DAY_MONTH = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of |[ -])${NAME}\\b`, 'i');
/** `January - March 2023`, `Apr-Jun`, `1 April - 30 June`. */
const MONTH_RANGE = new RegExp(
  `\\b${NAME}\\.?(?: \\d{1,2},?)?\\s*(?:[-–—]|to|through)\\s*(\\d{1,2} )?${NAME}\\b`,
  'i',
);
const MONTH_ONLY = new RegExp(`\\b${NAME}\\b`, 'i');
const NUMERIC_DATE = /\b(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})\b/;
const ISO_DATE = /\b((?:19|20)\d\d)[-/](\d{1,2})[-/](\d{1,2})\b/;
const EUROPEAN_DATE = /\b(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)\b/;
const YEAR = /(?<![\d,.$])((?:19[6-9]|20[0-9])\d)(?![\d,]|\.\d)/;
const SHORT_YEAR =
  /\b[A-Z][a-z]{2}-(\d\d)\b|(?:\bQ[1-4]|\b[1-4]Q|\b[12]H|\bH[12]|\bFY|\b\d{1,2}M)\s?['’]?(\d\d)\b|['’](\d\d)\b/i;

/** Reads the period that a text names, such as `Three Months Ended March 31, 2020` or `1Q20`. */
export function parsePeriod(text: string): Period {
  const spaced = text.replaceAll(/\s+/g, ' ');
  const quarter = quarterOf(spaced);
  return { months: monthsOf(spaced, quarter), quarter, ...dateOf(spaced) };
}

/**
 * Reads the period that the title of several columns names. A title with several years or dates
 * leaves it to the columns which of them they show.
 */
export function parseTitlePeriod(text: string): Period {
  const period = parsePeriod(text);
  const years = new Set(text.match(/(?<!\d)(?:19[6-9]|20[0-9])\d(?!\d)/g));
  if (years.size <= 1) return period;
  const days = new Set(text.match(new RegExp(MONTH_DAY.source, 'gi')));
  return { ...period, year: null, ...(days.size > 1 ? { month: null, day: null } : {}) };
}

/** Returns true if the text names a period or a part of one. */
export function isPeriodText(text: string): boolean {
  const { months, year, month } = parsePeriod(text);
  return months !== null || year !== null || month !== null;
}

function countOf(text: string | undefined): number {
  const word = (text ?? '').toLowerCase().replaceAll(' ', '-');
  return NUMBERS[word] ?? Number(word);
}

function monthsOf(text: string, quarter: number | null): number | null {
  const months = MONTHS.exec(text);
  if (months !== null) return countOf(months[1] ?? months[2]);
  const short = SHORT_MONTHS.exec(text);
  if (short !== null) return Number(short[1]);
  const weeks = WEEKS.exec(text);
  if (weeks !== null) {
    const count = countOf(weeks[1]);
    if (count >= 12 && count <= 17) return 3;
    if (count >= 24 && count <= 28) return 6;
    if (count >= 36 && count <= 42) return 9;
    if (count === 52 || count === 53) return 12;
  }
  const range = MONTH_RANGE.exec(text);
  if (range !== null) return ((monthNumber(range[3]) - monthNumber(range[1]) + 12) % 12) + 1;
  if (HALF.test(text)) return 6;
  if (YEAR_TO_DATE.test(text)) return 0;
  if (quarter !== null || QUARTER_WORD.test(text)) return 3;
  return WHOLE_YEAR.test(text) ? 12 : null;
}

function quarterOf(text: string): number | null {
  const label = QUARTER_LABEL.exec(text);
  const digit = label?.[1] ?? label?.[2] ?? label?.[3];
  if (digit !== undefined) return Number(digit);
  if (!/\b(?:quarter|qtr)/i.test(text)) return null;
  return ORDINALS.find(([shape]) => shape.test(text))?.[1] ?? null;
}

type DateParts = Pick<Period, 'year' | 'month' | 'day'>;

function dateOf(text: string): DateParts {
  const iso = ISO_DATE.exec(text);
  if (iso !== null) return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) };
  const european = EUROPEAN_DATE.exec(text);
  if (european !== null) {
    return { year: Number(european[3]), month: Number(european[2]), day: Number(european[1]) };
  }
  const numeric = NUMERIC_DATE.exec(text);
  if (numeric !== null && Number(numeric[1]) <= 12) {
    return {
      year: fullYear(numeric[3] ?? ''),
      month: Number(numeric[1]),
      day: Number(numeric[2]),
    };
  }
  const year = yearOf(text);
  const range = MONTH_RANGE.exec(text);
  if (range !== null) {
    const end = text.slice(range.index + range[0].search(/[-–—]|\bto\b|\bthrough\b/i) + 1);
    return { ...dateOf(end), year };
  }
  const named = MONTH_DAY.exec(text);
  const reversed = DAY_MONTH.exec(text);
  if (named !== null && isDay(named[2])) {
    return { year, month: monthNumber(named[1]), day: Number(named[2]) };
  }
  if (reversed !== null && isDay(reversed[1])) {
    return { year, month: monthNumber(reversed[2]), day: Number(reversed[1]) };
  }
  const only = MONTH_ONLY.exec(text);
  // `may` is a word too; as a month it has a capital letter.
  const isMonth = only !== null && /^[A-Z]/.test(only[0]);
  return { year, month: isMonth ? monthNumber(only[1]) : null, day: null };
}

function isDay(text: string | undefined): boolean {
  const day = Number(text);
  return day >= 1 && day <= 31;
}

function yearOf(text: string): number | null {
  const year = YEAR.exec(text)?.[1];
  if (year !== undefined) return Number(year);
  const short = SHORT_YEAR.exec(text);
  const digits = short?.[1] ?? short?.[2] ?? short?.[3];
  return digits === undefined ? null : fullYear(digits);
}

function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length === 4) return year;
  return year < 70 ? 2000 + year : 1900 + year;
}

/** Returns the date, or null if a part of it is not named. A month alone is its last day. */
export function endOf({ year, month, day }: Period, mayBeMonth = false): LocalDate | null {
  if (year === null || month === null || month < 1 || month > 12) return null;
  if (day !== null) return makeLocalDate(year, month, day);
  return mayBeMonth ? lastDayOfMonth(year, month) : null;
}

/** Fills the parts that the first period does not name with those of the second. */
export function withDefaults(period: Period, defaults: Period): Period {
  // A column such as `1Q16` has dates of its own, even if it does not name them.
  const isDated = period.month !== null || period.quarter !== null;
  return {
    months: period.months ?? defaults.months,
    year: period.year ?? defaults.year,
    month: isDated ? period.month : defaults.month,
    day: isDated ? period.day : defaults.day,
    quarter: period.quarter ?? defaults.quarter,
  };
}

/** Returns true if both dates can be the end of the same quarter, up to a week apart. */
export function isSameEnd(a: LocalDate, b: LocalDate): boolean {
  return Math.abs(daysBetween(a, b)) <= 7;
}
