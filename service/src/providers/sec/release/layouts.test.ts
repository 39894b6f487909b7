import { expect, test } from 'vitest';
import {
  type HeadCell,
  htmlRelease,
  plainCells,
  splitCells,
  type TableOptions,
  textRelease,
  textTable,
} from '../../../../test/support/releases/release-markup.ts';
import { readRelease } from './read-release.ts';

/** Columns of a statement: the quarter and the year to date, of this year and of the last one. */
type Column = 'quarter' | 'quarterBefore' | 'lastYear' | 'total' | 'totalLastYear';

const FIGURES: Record<Column, { revenue: string; income: string; basic: string; diluted: string }> =
  {
    quarter: { revenue: '1,234,567', income: '98,765', basic: '1.25', diluted: '1.23' },
    quarterBefore: { revenue: '1,200,300', income: '92,000', basic: '1.18', diluted: '1.16' },
    lastYear: { revenue: '1,111,222', income: '87,654', basic: '1.12', diluted: '1.10' },
    total: { revenue: '3,456,789', income: '298,765', basic: '3.75', diluted: '3.69' },
    totalLastYear: { revenue: '3,111,222', income: '257,654', basic: '3.32', diluted: '3.27' },
  };

const ORDERS: readonly (readonly Column[])[] = [
  ['quarter', 'lastYear'],
  ['lastYear', 'quarter'],
  ['quarter', 'lastYear', 'total', 'totalLastYear'],
  ['total', 'totalLastYear', 'quarter', 'lastYear'],
  ['lastYear', 'quarter', 'totalLastYear', 'total'],
  ['quarter', 'total'],
  ['quarter', 'quarterBefore', 'lastYear'],
  ['quarter', 'quarterBefore', 'lastYear', 'total', 'totalLastYear'],
];

const isTotal = (column: Column) => column.startsWith('total');
const isOld = (column: Column) => column.endsWith('LastYear') || column === 'lastYear';

function group(columns: readonly Column[], name: (column: Column) => string): HeadCell[] {
  const cells: { text: string; columns: number }[] = [];
  for (const column of columns) {
    const last = cells.at(-1);
    if (last?.text === name(column)) last.columns++;
    else cells.push({ text: name(column), columns: 1 });
  }
  return cells;
}

function dates(columns: readonly Column[], now: string, before: string, old: string): HeadCell[] {
  return columns.map((column) => ({
    text: column === 'quarterBefore' ? before : isOld(column) ? old : now,
  }));
}

const HEADS: Readonly<Record<string, (columns: readonly Column[]) => HeadCell[][]>> = {
  'dates below periods': (columns) => [
    group(columns, (each) => (isTotal(each) ? 'NINE MONTHS ENDED' : 'QUARTER ENDED')),
    dates(columns, 'SEPT. 30, 2020', 'JUNE 30, 2020', 'SEPT. 30, 2019'),
  ],
  'one text each': (columns) => [
    dates(columns, 'September 30, 2020', 'June 30, 2020', 'September 30, 2019').map(
      ({ text }, index) => ({
        text: `${isTotal(columns[index] ?? 'quarter') ? 'Nine' : 'Three'} Months Ended ${text}`,
      }),
    ),
  ],
  'numeric dates': (columns) => [
    group(columns, (each) => (isTotal(each) ? '9 Months Ended' : '3 Months Ended')),
    dates(columns, '9/30/2020', '6/30/2020', '9/30/2019'),
  ],
  'quarter labels': (columns) => [
    columns.map((each) => {
      if (isTotal(each)) return { text: isOld(each) ? '9M19' : '9M20' };
      return { text: each === 'quarterBefore' ? '2Q20' : isOld(each) ? '3Q19' : '3Q20' };
    }),
  ],
  'year to date': (columns) => [
    columns.map((each) => {
      if (isTotal(each)) return { text: isOld(each) ? 'YTD 2019' : 'YTD 2020' };
      return { text: each === 'quarterBefore' ? 'Q2 2020' : isOld(each) ? 'Q3 2019' : 'Q3 2020' };
    }),
  ],
};

const PER_SHARE = [
  (basic: string[], diluted: string[]) => [
    ['Earnings per share:'],
    ['Basic', ...basic],
    ['Diluted', ...diluted],
    ['Average common shares - diluted', ...diluted.map(() => '80,297')],
    ['Book value per share', ...diluted.map(() => '25.01')],
  ],
  (basic: string[], diluted: string[]) => [
    ['Net income per common share - basic', ...basic],
    ['Net income per common share - diluted', ...diluted],
  ],
  (basic: string[], diluted: string[]) => [
    ['Earnings per common share', ...basic],
    ['Earnings per common share - assuming dilution', ...diluted],
  ],
  (_: string[], diluted: string[]) => [['Basic and diluted earnings per share', ...diluted]],
];

const REVENUE = [
  (revenue: string[]) => [['Net sales', ...revenue]],
  (revenue: string[]) => [
    ['Operating revenues:'],
    ['Passenger', ...revenue.map(() => '900,000')],
    ['Other', ...revenue.map(() => '200,000')],
    ['Total operating revenues', ...revenue],
  ],
  (revenue: string[]) => [
    ['Revenue:'],
    ['Products', ...revenue.map(() => '900,000')],
    ['Services', ...revenue.map(() => '200,000')],
    ['', ...revenue],
  ],
];

const LEAD = 'Kestrel reported results for its third quarter ended September 30, 2020.';
const TITLE = ['CONSOLIDATED STATEMENTS OF OPERATIONS', '(In thousands, except per share data)'];
const WRITERS: readonly ((table: TableOptions) => string)[] = [
  (table) => htmlRelease(LEAD, ...TITLE, splitCells(table)),
  (table) => htmlRelease(LEAD, ...TITLE, plainCells(table)),
  (table) =>
    textRelease(LEAD, TITLE.map((line) => `            ${line}`).join('\n'), textTable(table)),
];

test.each(Object.entries(HEADS))('reads every order of columns below %s', (_, headOf) => {
  let count = 0;
  for (const columns of ORDERS) {
    for (const write of WRITERS) {
      for (const perShare of PER_SHARE) {
        const revenue = REVENUE[count % REVENUE.length] ?? REVENUE[0];
        const values = columns.map((column) => FIGURES[column]);
        const rows = [
          ...(revenue?.(values.map((each) => each.revenue)) ?? []),
          ['Cost of sales', ...values.map(() => '600,000')],
          ['Income taxes', ...values.map(() => '30,000')],
          ['Net income', ...values.map(({ income }) => `$ ${income}`)],
          ...perShare(
            values.map(({ basic }) => basic),
            values.map(({ diluted }) => diluted),
          ),
        ];
        const release = readRelease(write({ head: headOf(columns), rows }));
        const context = `${columns.join(', ')} (${count})`;
        expect(release.periodEnd?.value, context).toBe('2020-09-30');
        expect(release.epsDilutedGaap?.value, context).toBe('1.23');
        expect(release.revenue?.value, context).toBe('1234567000');
        count++;
      }
    }
  }
});
