import type { LocalDate } from '../../../domain/local-date.ts';
import { type SourceText, sourceOffset } from '../html/source-text.ts';
import type { TableColumn } from './columns.ts';
import { endOf, isSameEnd, parsePeriod, type Period } from './period.ts';
import { isForecastColumn, type LabeledTable } from './table-traits.ts';

/** The period that a release reports. */
export interface ReportedPeriod {
  end: LocalDate;
  /** Fiscal quarter as the document counts it. */
  quarter: number | null;
  /** Fiscal year as the document counts it. */
  fiscalYear: number | null;
  column: string;
  offset: number;
  /** False if one place alone names the date. */
  isConfirmed: boolean;
}

interface Witness {
  end: LocalDate;
  text: string;
  offset: number;
  place: string;
  /** The date has a day. */
  hasDay: boolean;
  /** 1 for the quarter in a statement, 2 for another period in one, 3 for anything else. */
  tier: 1 | 2 | 3;
}

const DATE = String.raw`(?:[A-Z][a-z]{2,8}\.? \d{1,2},? (?:19|20)\d\d|\d{1,2} [A-Z][a-z]{2,8},? (?:19|20)\d\d)`;
const ENDED = new RegExp(
  String.raw`\b(?:quarters?|months?(?: periods?)?|weeks?(?: periods?)?|periods?|year|half(?:[- ]year)?)\s+(?:which |that )?ended\s+(?:on )?(${DATE})`,
  'gi',
);
/** `for the period 1 January 2023 to 31 March 2023`. */
const FROM_TO = new RegExp(
  String.raw`\bperiod\s+(?:from\s+)?${DATE}\s+(?:to|through|-|–|—)\s+(${DATE})`,
  'gi',
);
const QUARTER_NAME =
  /\b(first|second|third|fourth|1st|2nd|3rd|4th)[- ](?:fiscal )?quarter(?: (?:of|and full[- ]year))?(?: (?:the )?(?:fiscal|fy))?(?: year)?(?:,)? ?((?:19|20)\d\d)?|\bQ([1-4])\s?(?:FY|fiscal)?\s?['’]?((?:20)?\d\d)?\b/gi;
/** Dates are looked for in the text before the tables and in the sentences between them. */
const PASSAGES_MAX = 400;

/**
 * Determines the end of the reported period: the latest one that heads a column of results, unless
 * another date is the only one with a second witness.
 */
export function settlePeriod(
  tables: readonly LabeledTable[],
  passages: readonly SourceText[],
): ReportedPeriod | null {
  const columns = tables.flatMap(columnWitnesses);
  const prose = passages.slice(0, PASSAGES_MAX).flatMap(proseWitnesses);
  const label = quarterLabel(passages);
  const tiers = [
    columns.filter(({ tier }) => tier === 1),
    columns.filter(({ tier }) => tier === 2),
    columns,
    prose,
    balanceWitnesses(tables),
  ];
  const witnesses = tiers.find(({ length }) => length > 0) ?? [];
  const ends = [...new Set(witnesses.map(({ end }) => end))].toSorted().toReversed();
  const support = (end: LocalDate): number =>
    new Set(
      [...columns, ...prose].filter((each) => isSameEnd(each.end, end)).map(({ place }) => place),
    ).size;
  const end = ends.find((each) => support(each) >= 2) ?? ends[0];
  if (end === undefined) return null;
  const exact = exactEnd(end, [...columns, ...prose]);
  const witness = [...columns, ...prose, ...witnesses].find((each) => each.end === exact);
  return {
    end: exact,
    quarter: label?.quarter ?? null,
    fiscalYear: label?.year ?? null,
    column: witness?.text ?? '',
    offset: witness?.offset ?? 0,
    isConfirmed: support(end) >= 2,
  };
}

/** A date with its day is better than a month, whose last day is only assumed. */
function exactEnd(end: LocalDate, witnesses: readonly Witness[]): LocalDate {
  const near = witnesses.filter((each) => isSameEnd(each.end, end) && each.hasDay);
  const groups = [...Map.groupBy(near, (each) => each.end)];
  return groups.toSorted((a, b) => b[1].length - a[1].length)[0]?.[0] ?? end;
}

function columnWitnesses(table: LabeledTable, index: number): Witness[] {
  if (table.isExcluded) return [];
  const hasResults =
    table.isStatement ||
    table.perShare.some((label) => label !== null) ||
    table.revenue.some((label) => label !== null);
  if (!hasResults) return [];
  return table.columns
    .filter((column) => !isForecastColumn(column) && !isInstant(column) && !isMonth(column))
    .flatMap(({ period, head, offset }) =>
      witnessOf(period, head, offset, `table ${index}`).map((witness) => ({
        ...witness,
        tier: table.isStatement ? (period.months === 3 ? 1 : 2) : 3,
      })),
    );
}

/** Some companies add figures of a month after the quarter. */
function isMonth({ period }: TableColumn): boolean {
  return period.months === 1 || period.months === 2;
}

/** A balance is of one day, which can be later than the period, as for subsequent events. */
function isInstant({ head, period }: TableColumn): boolean {
  return period.months === null && /\bas (?:of|at)\b/i.test(head);
}

function balanceWitnesses(tables: readonly LabeledTable[]): Witness[] {
  return tables
    .filter(({ title }) => /\bbalance sheets?\b|\bfinancial position\b/i.test(title))
    .flatMap((table, index) =>
      table.columns.flatMap(({ period, head, offset }) =>
        witnessOf(period, head, offset, `balance ${index}`),
      ),
    );
}

function witnessOf(period: Period, text: string, offset: number, place: string): Witness[] {
  const end = endOf(period, true);
  if (end === null) return [];
  return [{ end, text, offset, place, hasDay: period.day !== null, tier: 3 }];
}

function proseWitnesses(passage: SourceText): Witness[] {
  const text = passage.text.slice(0, 3000);
  return [...text.matchAll(ENDED), ...text.matchAll(FROM_TO)].flatMap((match) => {
    const offset = sourceOffset(passage, match.index);
    return witnessOf(parsePeriod(match[1] ?? ''), match[0], offset, 'prose');
  });
}

/** Returns the quarter that the first texts of the document name: `Fourth Quarter 2019`. */
function quarterLabel(
  passages: readonly SourceText[],
): { quarter: number; year: number | null } | null {
  const ordinals = ['first', 'second', 'third', 'fourth', '1st', '2nd', '3rd', '4th'];
  for (const { text } of passages.slice(0, 40)) {
    for (const match of text.slice(0, 1000).matchAll(QUARTER_NAME)) {
      const word = ordinals.indexOf((match[1] ?? '').toLowerCase());
      const quarter = match[3] === undefined ? (word % 4) + 1 : Number(match[3]);
      const digits = match[2] ?? match[4];
      const year = digits === undefined ? null : Number(digits) + (digits.length === 2 ? 2000 : 0);
      if (quarter >= 1) return { quarter, year };
    }
  }
  return null;
}
