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
  {
    name: 'amounts in billions',
    document: htmlRelease(
      'Heron',
      '(Dollars in billions, except per share amounts)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Total revenues | $ 25.4 | $ 24.0
      Cost of sales | 1 | 1
      Operating expenses | 1 | 1
      Income taxes | 1 | 1
      Net income | $ 500 | $ 400
      Diluted earnings per share | $ 0.50 | $ 0.41
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '25400000000' },
  },
  {
    name: 'segments with the same total',
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
      Diluted earnings per share | $ 0.50 | $ 0.41
    `),
      ),
      'Segment information (in millions)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Net sales:
      North America | $ 3,000 | $ 2,500
      International | 2,200 | 1,700
      Eliminations | (200) | (200)
      Total net sales | $ 5,000 | $ 4,000
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '5000000000' },
  },
  {
    name: 'the statement of a subsidiary',
    document: htmlRelease(
      'Heron Holdings',
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
      'Heron Finance Company statements of income (in millions)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Revenues | $ 300 | $ 250
      Interest expense | 100 | 90
      Operating expenses | 50 | 40
      Provision for losses | 10 | 9
      Income taxes | 20 | 18
      Net income | $ 90 | $ 80
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5' },
  },
  {
    name: 'the scale in the labels',
    document: htmlRelease(
      'Heron',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Revenue (in millions) | $ 5,000 | $ 4,000
      Net income (in millions) | $ 500 | $ 400
      Diluted EPS | $ 0.50 | $ 0.41
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '5000000000' },
  },
  {
    name: 'gross and net sales',
    document: htmlRelease(
      'Heron',
      'Statements of income (in millions, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Gross sales | $ 5,500 | $ 4,400
      Less: discounts and allowances | (500) | (400)
      Net sales | 5,000 | 4,000
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
    name: 'revenue before and after doubtful accounts',
    document: htmlRelease(
      'Heron Hospitals',
      'Statements of income (in millions, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Revenues before provision for doubtful accounts | $ 5,500 | $ 4,400
      Provision for doubtful accounts | (500) | (400)
      Revenues | 5,000 | 4,000
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
];
