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
    name: 'footnotes behind the amounts',
    document: htmlRelease(
      'Kestrel',
      'Statements of income (in thousands, except per share)',
      plainCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2020 | 2019
      ---
      Revenues | $5,000(1) | $4,000
      Cost of revenues | 1 | 1
      Operating expenses | 1 | 1
      Income taxes | 1 | 1
      Net income | $(500)(2) | $(400)
      Net income per share:
      Basic | $(0.51)(3) | $(0.42)
      Diluted | $(0.50)(3) | $(0.41)
    `),
      ),
    ),
    expected: { periodEnd: '2020-06-30', revenue: '5000000' },
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
    name: 'earnings of zero',
    document: htmlRelease(
      'Kestrel',
      'Statements of income (in thousands, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Revenues | $ 5,000 | $ 4,000
      Cost of revenues | 1 | 1
      Operating expenses | 1 | 1
      Income taxes | 1 | 1
      Net income | $ 5 | $ 400
      Net income per share:
      Basic | $ 0.00 | $ 0.42
      Diluted | $ 0.00 | $ 0.41
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0', revenue: '5000000' },
  },
  {
    name: 'earnings of less than a cent',
    document: htmlRelease(
      'Kestrel',
      'Statements of income (in thousands, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Revenues | $ 5,000 | $ 4,000
      Cost of revenues | 1 | 1
      Operating expenses | 1 | 1
      Income taxes | 1 | 1
      Net income | $ (5) | $ (400)
      Net income per share:
      Basic | $ (0.0051) | $ (0.0042)
      Diluted | $ (0.0051) | $ (0.0042)
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '-0.0051', revenue: '5000000' },
  },
];
