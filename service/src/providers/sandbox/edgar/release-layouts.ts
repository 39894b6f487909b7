import { dayOf, type LocalDate, monthOf, yearOf } from '../../../domain/local-date.ts';

/** Results of a period, in whole dollars and cents per diluted share. */
export interface PeriodFigures {
  end: LocalDate;
  revenue: number;
  epsCents: number;
  /** Null for a company that states no adjusted figure. */
  adjustedCents: number | null;
}

/** The contents of a press release about a quarter. */
export interface ReleaseContent {
  name: string;
  symbol: string;
  exchange: string;
  fiscalYear: number;
  quarter: 1 | 2 | 3 | 4;
  /** True if periods are counted in weeks, because they end on a Saturday. */
  isInWeeks: boolean;
  current: PeriodFigures;
  yearAgo: PeriodFigures;
  /** The fiscal year to date; null in the first quarter. */
  toDate: { current: PeriodFigures; yearAgo: PeriodFigures } | null;
}

/** A mistake that a release can contain. */
export type ReleaseFault = 'wrong-scale' | 'contradiction';

type Layout = (content: ReleaseContent, fault: ReleaseFault | null) => string;

/** Writes the release in one of several layouts, each as some companies write theirs. */
export function writeRelease(
  content: ReleaseContent,
  { layout, fault = null }: { layout: number; fault?: ReleaseFault | null },
): string {
  const write = LAYOUTS[layout % LAYOUTS.length] ?? plainTable;
  return write(content, fault);
}

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const ORDINALS = ['First', 'Second', 'Third', 'Fourth'];
const LENGTHS = [
  ['Three Months', 'Thirteen Weeks'],
  ['Six Months', 'Twenty-Six Weeks'],
  ['Nine Months', 'Thirty-Nine Weeks'],
  ['Twelve Months', 'Fifty-Two Weeks'],
] as const;

interface Row {
  label: string;
  /** One amount for each column. */
  amounts: (period: PeriodFigures) => string;
}

const ADJUSTED_ROW: Row = {
  label: 'Adjusted net income (loss) per share, diluted',
  amounts: ({ adjustedCents }) => bracketed(adjustedCents ?? 0),
};

/** One cell for each amount, in thousands, with the years below the period. */
function plainTable(content: ReleaseContent, fault: ReleaseFault | null): string {
  const { current, yearAgo } = content;
  const rows = statementRows(content, thousands).map(
    ({ label, amounts }) =>
      `<tr><td>${label}</td><td>${amounts(current)}</td><td>${amounts(yearAgo)}</td></tr>`,
  );
  return htmlPage(
    content,
    `<p>Consolidated Statements of Operations (in ${scaleOf('thousands', fault)}, except per share amounts)</p>
<table>
<tr><td></td><td colspan="2">${lengthOf(content, 1)} Ended ${monthDay(current.end)},</td></tr>
<tr><td></td><td>${yearOf(current.end)}</td><td>${yearOf(yearAgo.end)}</td></tr>
${rows.join('\n')}
</table>`,
    fault,
  );
}

/** Signs, digits and brackets in cells of their own, with the year to date beside the quarter. */
function splitTable(content: ReleaseContent, fault: ReleaseFault | null): string {
  const columns = columnsOf(content);
  const head = columns.map(
    ({ length, period }) =>
      `<td></td><td colspan="3"><b>${length} Ended<br>${longDate(period.end)}</b></td>`,
  );
  const rows = statementRows(content, thousands).map(({ label, amounts }) => {
    const cells = columns.map(({ period }, index) => {
      const [, digits = '', bracket = ''] = /^(\(?[\d.,]+)(\)?)$/.exec(amounts(period)) ?? [];
      return `<td></td><td>${index === 0 ? '$' : ''}</td><td>${digits}</td><td>${bracket}</td>`;
    });
    return `<tr><td><font>${label}</font></td>${cells.join('')}</tr>`;
  });
  return htmlPage(
    content,
    `<p><b>CONDENSED CONSOLIDATED STATEMENTS OF INCOME</b></p>
<p>(In ${scaleOf('thousands', fault)}, except per share data)</p>
<table><tr><td></td>${head.join('')}</tr>
${rows.join('\n')}</table>`,
    fault,
  );
}

/** Labels such as `Q3 2026`, in millions, after a list of highlights. */
function highlights(content: ReleaseContent, fault: ReleaseFault | null): string {
  const { current, yearAgo, fiscalYear, quarter } = content;
  const rows = statementRows(content, millions).map(
    ({ label, amounts }) =>
      `<tr><td>${label}</td><td>${amounts(current)}</td><td>${amounts(yearAgo)}</td></tr>`,
  );
  return htmlPage(
    content,
    `<ul><li>Revenue was $${millions(current.revenue)} million, compared with $${millions(yearAgo.revenue)} million a year ago.</li></ul>
<p>Results for the ${lengthOf(content, 1).toLowerCase()} ended ${longDate(current.end)}</p>
<p>(dollars in ${fault === 'wrong-scale' ? 'billions' : 'millions'}, except per share amounts)</p>
<table>
<tr><th></th><th>Q${quarter} ${fiscalYear}</th><th>Q${quarter} ${fiscalYear - 1}</th></tr>
${rows.join('\n')}
</table>`,
    fault,
  );
}

/** Plain text with blanks between the columns. */
function plainText(content: ReleaseContent, fault: ReleaseFault | null): string {
  const { current, yearAgo } = content;
  const line = (label: string, ...cells: string[]): string =>
    label.padEnd(48) + cells.map((cell) => cell.padStart(16)).join('');
  const rows = statementRows(content, thousands).map(({ label, amounts }) =>
    line(label, amounts(current), amounts(yearAgo)),
  );
  return `<html><body><pre>
${headlineOf(content)}

${proseOf(content, fault)}

          CONSOLIDATED STATEMENTS OF OPERATIONS
   (in ${scaleOf('thousands', fault)}, except per share amounts)

${line('', `${lengthOf(content, 1)} Ended`)}
${line('', shortDate(current.end), shortDate(yearAgo.end))}
${line('', '------------', '------------')}
${rows.join('\n')}
</pre></body></html>`;
}

const LAYOUTS: readonly Layout[] = [plainTable, splitTable, highlights, plainText];
export const LAYOUT_COUNT = LAYOUTS.length;

function htmlPage(content: ReleaseContent, statement: string, fault: ReleaseFault | null): string {
  return `<html><body>
<p align="center"><b>${headlineOf(content)}</b></p>
<p>${proseOf(content, fault)}</p>
${statement}
<p>This release contains forward-looking statements about a fictional company.</p>
</body></html>`;
}

function headlineOf({ name, quarter, fiscalYear }: ReleaseContent): string {
  return `${name} Reports ${ORDINALS[quarter - 1]} Quarter ${fiscalYear} Results`;
}

function proseOf(content: ReleaseContent, fault: ReleaseFault | null): string {
  const { name, exchange, symbol, current, yearAgo } = content;
  const stated = (fault === 'contradiction' ? yearAgo : current).epsCents;
  const result = stated < 0 ? 'a net loss' : 'net income';
  return (
    `${name} (${exchange}: ${symbol}) today reported ${result} of $${dollars(Math.abs(stated))} per ` +
    `diluted share for the quarter ended ${longDate(current.end)}.`
  );
}

/** Rows of an income statement, in which costs are shares of revenue. */
function statementRows({ current }: ReleaseContent, amount: (value: number) => string): Row[] {
  const share = (part: number) => (period: PeriodFigures) =>
    amount(Math.round((period.revenue * part) / 1000) * 1000);
  return [
    { label: 'Total revenue', amounts: ({ revenue }) => amount(revenue) },
    { label: 'Cost of revenue', amounts: share(0.6) },
    { label: 'Operating expenses', amounts: share(0.25) },
    { label: 'Operating income', amounts: share(0.15) },
    {
      label: 'Net income (loss) per share, basic',
      amounts: ({ epsCents }) => bracketed(epsCents + 1),
    },
    {
      label: 'Net income (loss) per share, diluted',
      amounts: ({ epsCents }) => bracketed(epsCents),
    },
    ...(current.adjustedCents === null ? [] : [ADJUSTED_ROW]),
  ];
}

function columnsOf(content: ReleaseContent): { length: string; period: PeriodFigures }[] {
  const { current, yearAgo, toDate, quarter } = content;
  const quarters = [current, yearAgo].map((period) => ({ length: lengthOf(content, 1), period }));
  if (toDate === null) return quarters;
  const length = lengthOf(content, quarter);
  return [...quarters, ...[toDate.current, toDate.yearAgo].map((period) => ({ length, period }))];
}

function lengthOf({ isInWeeks }: ReleaseContent, quarters: number): string {
  return LENGTHS[quarters - 1]?.[isInWeeks ? 1 : 0] ?? '';
}

function scaleOf(scale: string, fault: ReleaseFault | null): string {
  return fault === 'wrong-scale' ? 'millions' : scale;
}

function thousands(value: number): string {
  return Math.round(value / 1000).toLocaleString('en-US');
}

function millions(value: number): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return (value / 1e6).toLocaleString('en-US', digits);
}

function bracketed(cents: number): string {
  return cents < 0 ? `(${dollars(-cents)})` : dollars(cents);
}

function dollars(cents: number): string {
  return (cents / 100).toFixed(2);
}

function longDate(date: LocalDate): string {
  return `${monthDay(date)}, ${yearOf(date)}`;
}

function monthDay(date: LocalDate): string {
  return `${MONTHS[monthOf(date) - 1]} ${dayOf(date)}`;
}

function shortDate(date: LocalDate): string {
  return `${monthDay(date).replace(/^(\w{3})\w*/, '$1.')}, ${yearOf(date)}`;
}
