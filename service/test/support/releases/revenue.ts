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
];
