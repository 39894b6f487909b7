import type { ReleaseCase } from './release-case.ts';
import { htmlRelease, splitCells, table } from './release-markup.ts';

/** Releases in which the revenue is one of several similar rows. */
export const REVENUE_RELEASES: readonly ReleaseCase[] = [
  {
    name: 'a single row below the heading Revenue',
    document: htmlRelease(
      'Kestrel Therapeutics',
      'Statements of Operations (in thousands, except per share amounts)',
      splitCells(
        table(`
      | Three Months Ended September 30, ×2
      | 2023 | 2022
      ---
      Revenue:
      Collaboration revenue | $ 2,500 | $ 3,000
      Operating expenses:
      Research and development | 35,000 | 30,000
      General and administrative | 12,000 | 11,000
      Net loss | $ (45,200) | $ (39,000)
      Net loss per share, basic and diluted | $ (0.88) | $ (0.91)
    `),
      ),
    ),
    expected: { periodEnd: '2023-09-30', epsDilutedGaap: '-0.88', revenue: '2500000' },
  },
  {
    name: 'sales and membership fees with a total, in weeks',
    document: htmlRelease(
      'Heron Stores',
      'CONSOLIDATED STATEMENTS OF INCOME (dollars in millions, except per share data)',
      splitCells(
        table(`
      | 13 Weeks Ended ×2 | 39 Weeks Ended ×2
      | October 30, 2021 | October 31, 2020 | October 30, 2021 | October 31, 2020
      ---
      REVENUE
      Net sales | $ 48,000 | $ 45,000 | $ 140,000 | $ 130,000
      Membership fees | 900 | 850 | 2,700 | 2,500
      Total revenue | 48,900 | 45,850 | 142,700 | 132,500
      Merchandise costs | 43,000 | 40,000 | 126,000 | 117,000
      NET INCOME | $ 1,300 | $ 1,200 | $ 3,900 | $ 3,300
      NET INCOME PER COMMON SHARE:
      Basic | $ 2.94 | $ 2.70 | $ 8.80 | $ 7.50
      Diluted | $ 2.93 | $ 2.69 | $ 8.78 | $ 7.47
    `),
      ),
    ),
    expected: { periodEnd: '2021-10-30', epsDilutedGaap: '2.93', revenue: '48900000000' },
  },
  {
    name: 'amounts in full dollars',
    document: htmlRelease(
      'Small Kestrel',
      'STATEMENTS OF OPERATIONS (Unaudited)',
      splitCells(
        table(`
      | For the Three Months Ended June 30, ×2
      | 2016 | 2015
      ---
      Sales | $ 12,345,678 | $ 11,345,678
      Cost of sales | 8,000,000 | 7,500,000
      Gross profit | 4,345,678 | 3,845,678
      Net income | $ 345,678 | $ 245,678
      Net income per share - basic | $ 0.03 | $ 0.02
      Net income per share - diluted | $ 0.03 | $ 0.02
    `),
      ),
    ),
    expected: { periodEnd: '2016-06-30', epsDilutedGaap: '0.03', revenue: '12345678' },
  },
  {
    name: 'amounts in full dollars beside a table in thousands',
    document: htmlRelease(
      'Kestrel Reports',
      'STATEMENTS OF INCOME',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Revenues | $ 25,123,456 | $ 24,000,000
      Cost of revenues | 1 | 1
      Operating expenses | 1 | 1
      Income taxes | 1 | 1
      Net income | $ 500,123 | $ 400,000
      Net income per share:
      Basic | $ 0.51 | $ 0.42
      Diluted | $ 0.50 | $ 0.41
    `),
      ),
      'EBITDA reconciliation (in thousands)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Net income | $ 500 | $ 400
      Interest | 10 | 9
      EBITDA | $ 900 | $ 800
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '25123456' },
  },
  {
    name: 'revenue before and after subcontractors',
    document: htmlRelease(
      'Kestrel Engineering',
      'STATEMENTS OF INCOME (in thousands, except per share data)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Revenue | $ 700,000 | $ 600,000
      Subcontractor costs | (150,000) | (120,000)
      Net revenue | 550,000 | 480,000
      Other costs | 1 | 1
      Net income | $ 500 | $ 400
      Earnings per share - diluted | $ 0.50 | $ 0.41
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '700000000' },
  },
  {
    name: 'sales before and after excise taxes',
    document: htmlRelease(
      'Kestrel Brewing',
      'STATEMENTS OF INCOME (in millions, except per share data)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Sales | $ 1,700.1 | $ 1,600.0
      Excise taxes | (550.0) | (520.0)
      Net sales | 1,150.1 | 1,080.0
      Cost of goods sold | 1 | 1
      Net income | $ 500.0 | $ 400.0
      Earnings per share - diluted | $ 0.50 | $ 0.41
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '1150100000' },
  },
  {
    name: 'sales with a total that includes other income',
    document: htmlRelease(
      'Heron Oil',
      'CONSOLIDATED INCOME (millions of dollars, except per share)',
      splitCells(
        table(`
      | Second Quarter ×2 | Six Months ×2
      | 2012 | 2011 | 2012 | 2011
      ---
      Revenues and other income
      Sales and other operating revenue | $ 120,100 | $ 110,000 | $ 240,000 | $ 220,000
      Income from equity affiliates | 3,000 | 2,500 | 6,000 | 5,000
      Total revenues and other income | 123,100 | 112,500 | 246,000 | 225,000
      Total costs | 1 | 1 | 1 | 1
      Net income | $ 15,910 | $ 10,680 | $ 25,000 | $ 21,000
      Earnings per common share - assuming dilution (dollars) | $ 3.41 | $ 2.18 | $ 5.41 | $ 4.32
    `),
      ),
      'Results for the quarter ended June 30, 2012',
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '3.41', revenue: '123100000000' },
  },
];
