import type { ReleaseCase } from './release-case.ts';
import { htmlRelease, plainCells, splitCells, table } from './release-markup.ts';

/** Releases in the usual shapes. */
export const RESULT_RELEASES: readonly ReleaseCase[] = [
  {
    name: 'a statement with currency signs and brackets in cells of their own',
    document: htmlRelease(
      'KESTREL ANNOUNCES THIRD QUARTER RESULTS',
      'CONSOLIDATED STATEMENTS OF INCOME',
      '(in thousands, except per share data)',
      splitCells(
        table(`
      | Three Months Ended September 30, ×2
      | 2021 | 2020
      ---
      Revenues:
      Product | $ 900,100 | $ 800,000
      Service | 100,000 | 90,000
      Total revenues | 1,000,100 | 890,000
      Cost of revenues | 600,000 | 500,000
      Gross profit | 400,100 | 390,000
      Income taxes | 20,000 | 19,000
      Net income | $ 100,500 | $ 90,000
      Net income per share:
      Basic | $ 1.02 | $ 0.91
      Diluted | $ 1.00 | $ 0.89
      Shares used in per share calculation:
      Basic | 98,500 | 98,900
      Diluted | 100,500 | 101,000
    `),
      ),
    ),
    expected: { periodEnd: '2021-09-30', epsDilutedGaap: '1', revenue: '1000100000' },
  },
  {
    name: 'a statement with one cell for each amount',
    document: htmlRelease(
      'KESTREL ANNOUNCES THIRD QUARTER RESULTS',
      'CONSOLIDATED STATEMENTS OF INCOME',
      '(in thousands, except per share data)',
      plainCells(
        table(`
      | Three Months Ended September 30, ×2
      | 2021 | 2020
      ---
      Revenues:
      Product | $ 900,100 | $ 800,000
      Service | 100,000 | 90,000
      Total revenues | 1,000,100 | 890,000
      Cost of revenues | 600,000 | 500,000
      Gross profit | 400,100 | 390,000
      Income taxes | 20,000 | 19,000
      Net income | $ 100,500 | $ 90,000
      Net income per share:
      Basic | $ 1.02 | $ 0.91
      Diluted | $ 1.00 | $ 0.89
      Shares used in per share calculation:
      Basic | 98,500 | 98,900
      Diluted | 100,500 | 101,000
    `),
      ),
    ),
    expected: { periodEnd: '2021-09-30', epsDilutedGaap: '1', revenue: '1000100000' },
  },
  {
    name: 'a fourth quarter beside the year',
    document: htmlRelease(
      'Kestrel Reports Fourth Quarter and Full Year 2019 Results',
      'For the fourth quarter, net income was $10.0 million, or $0.50 per diluted share. For the full year, net income was $44.0 million, or $2.20 per diluted share.',
      'Consolidated Statements of Operations',
      '(in millions, except per share amounts)',
      splitCells(
        table(`
      | Three Months Ended December 31, ×2 | Year Ended December 31, ×2
      | 2019 | 2018 | 2019 | 2018
      ---
      Net sales | $ 250.5 | $ 240.0 | $ 990.1 | $ 950.0
      Cost of sales | 150.0 | 140.0 | 600.0 | 580.0
      Operating income | 20.0 | 19.0 | 80.0 | 75.0
      Interest expense | (1.0) | (1.1) | (4.0) | (4.2)
      Provision for income taxes | 9.0 | 8.0 | 32.0 | 30.0
      Net income | $ 10.0 | $ 9.9 | $ 44.0 | $ 40.8
      Basic earnings per share | $ 0.51 | $ 0.50 | $ 2.24 | $ 2.07
      Diluted earnings per share | $ 0.50 | $ 0.49 | $ 2.20 | $ 2.04
    `),
      ),
    ),
    expected: { periodEnd: '2019-12-31', epsDilutedGaap: '0.5', revenue: '250500000' },
  },
  {
    name: 'an outlook in front of the statement',
    document: htmlRelease(
      'Kestrel Reports',
      'Outlook',
      'The Company expects revenue of $5.5 million to $5.7 million next quarter.',
      'CONSOLIDATED STATEMENTS OF INCOME',
      '(in thousands, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Revenues | $ 5,000 | $ 4,000
      Cost of revenues | 1 | 1
      Operating expenses | 1 | 1
      Income taxes | 1 | 1
      Net income | $ 500 | $ 400
      Net income per share:
      Basic | $ 0.51 | $ 0.42
      Diluted | $ 0.50 | $ 0.41
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '5000000' },
  },
  {
    name: 'periods that are called ending',
    document: htmlRelease(
      'Kestrel',
      'Statements of income (in thousands, except per share)',
      splitCells(
        table(`
      | Three Months Ending June 30, ×2
      | 2012 | 2011
      ---
      Revenues | $ 5,000 | $ 4,000
      Cost of revenues | 1 | 1
      Operating expenses | 1 | 1
      Income taxes | 1 | 1
      Net income | $ 500 | $ 400
      Net income per share:
      Basic | $ 0.51 | $ 0.42
      Diluted | $ 0.50 | $ 0.41
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '5000000' },
  },
  {
    name: 'sentences alone that agree',
    document: htmlRelease(
      'Heron Reports First Quarter Results',
      'HERONVILLE, April 25, 2012 - Heron Corp. today reported net income of $5.0 million, or $0.50 per diluted share, for the quarter ended March 31, 2012, compared with $4.0 million, or $0.40 per diluted share, a year earlier.',
      '“Earnings of $0.50 per diluted share exceeded our plan,” said the chief executive. Revenue for the quarter was $55.0 million.',
    ),
    expected: { periodEnd: '2012-03-31', epsDilutedGaap: '0.5' },
  },
  {
    name: 'headings without the words per share in the rows',
    document: htmlRelease(
      'Heron Tractors',
      'Statements of income (in millions, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Net Sales and Revenues
      Net sales | $ 4,000 | $ 3,000
      Finance and interest income | 900 | 900
      Other income | 100 | 100
      Total | 5,000 | 4,000
      Costs and Expenses
      Cost of sales | 3,000 | 3,000
      Total | 4,500 | 3,600
      Net Income | 500 | 400
      Per Share Data
      Net income - basic | $ 0.51 | $ 0.42
      Net income - diluted | $ 0.50 | $ 0.41
      Average Shares Outstanding
      Diluted | 1,000.5 | 999.9
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5' },
  },
  {
    name: 'a footnote with an amount per share',
    document: htmlRelease(
      'Heron',
      'Statements of income (in millions, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Net sales | $ 5,000 | $ 4,000
      Cost of sales | 1 | 1
      Operating expenses | 1 | 1
      Income taxes | 1 | 1
      Net income | $ 500 | $ 400
      Diluted earnings per share (1) | $ 0.50 | $ 0.41
      (1) Includes $0.05 per share of gains
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '5000000000' },
  },
  {
    name: 'a wrong year in the dateline',
    document: htmlRelease(
      'HERONVILLE, July 25, 2011 - Heron Corp. today announced results for the quarter ended June 30, 2012.',
      'Statements of income (in millions, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Net sales | $ 5,000 | $ 4,000
      Cost of sales | 1 | 1
      Operating expenses | 1 | 1
      Income taxes | 1 | 1
      Net income | $ 500 | $ 400
      Diluted earnings per share | $ 0.50 | $ 0.41
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '5000000000' },
  },
  {
    name: 'capital letters',
    document: htmlRelease(
      'HERON CORP.',
      'STATEMENTS OF INCOME',
      '(IN THOUSANDS, EXCEPT PER SHARE AMOUNTS)',
      plainCells(
        table(`
      | THREE MONTHS ENDED ×2
      | JUNE 30 | JUNE 30
      | 2012 | 2011
      ---
      NET SALES | $5,000 | $4,000
      COST OF SALES | 1 | 1
      INCOME TAXES | 1 | 1
      NET INCOME | $500 | $400
      NET INCOME PER SHARE:
      BASIC | $.51 | $.42
      DILUTED | $.50 | $.41
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '5000000' },
  },
];
