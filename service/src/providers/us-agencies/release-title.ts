import { monthNumber } from '../../domain/month-number.ts';
import type { Vintage } from '../../datasets/economic-events/delayed-releases.ts';

/** The facts that the title of a release states. Those it does not state are null. */
export interface ReleaseTitle {
  /** Name without the period. */
  name: string;
  /** `2026-10` or `2026-Q3`. Null also for a year, and for a release about several months. */
  period: string | null;
  vintage: Vintage | null;
}

const MONTH =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december)';
/** `, November 2024`, `, December and Annual 2024`, `, October and November 2025`. */
const MONTHLY = new RegExp(
  `,\\s+(${MONTH})(?:\\s+and\\s+(annual|${MONTH}))?,?\\s+(\\d{4})\\b`,
  'i',
);
/** `, 4th Quarter and Year 2024`, `, 1st quarter 2026`. */
const QUARTERLY =
  /,\s+([1-4])(?:st|nd|rd|th)\s+quarter(?:\s+(?:\d{4}\s+)?and\s+(?:year|annual))?\s+(\d{4})\b/i;
const YEARLY = /,\s+(?:\d{4}\s?[-–]\s?)?\d{4}\b.*$/;
const ESTIMATE = /\((advance|second|third|initial)\s+estimate\)/i;
/** The national accounts, but not those by industry, state or county. */
const NATIONAL_PRODUCT = /^(?:gross domestic product|gdp)(?!\s+(?:by|for|in)\b)/i;
const ANNUAL_UPDATE = /,\s+annual update\b/i;

/**
 * Reads a title such as `GDP (Second Estimate) and Corporate Profits, 3rd Quarter 2026`. All titles
 * of the national accounts have the name `Gross Domestic Product`.
 */
export function readReleaseTitle(title: string): ReleaseTitle {
  const month = MONTHLY.exec(title);
  const quarter = QUARTERLY.exec(title);
  const period = periodOf(month, quarter);
  const vintage = (ESTIMATE.exec(title)?.[1]?.toLowerCase() ?? null) as Vintage | null;
  if (NATIONAL_PRODUCT.test(title) && quarter !== null) {
    return { name: 'Gross Domestic Product', period, vintage };
  }
  if (ANNUAL_UPDATE.test(title)) return { name: title.trim(), period, vintage };
  const end = month?.index ?? quarter?.index ?? YEARLY.exec(title)?.index ?? title.length;
  return { name: title.slice(0, end).trim(), period, vintage };
}

function periodOf(month: RegExpExecArray | null, quarter: RegExpExecArray | null): string | null {
  if (quarter !== null) return `${quarter[2]}-Q${quarter[1]}`;
  if (month === null) return null;
  const isSeveral = month[2] !== undefined && month[2].toLowerCase() !== 'annual';
  if (isSeveral) return null;
  const number = monthNumber(month[1]);
  return `${month[3]}-${String(number).padStart(2, '0')}`;
}
