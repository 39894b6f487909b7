import type { ReleaseCase } from './release-case.ts';
import { htmlRelease, plainCells, splitCells, table } from './release-markup.ts';

/** Releases of banks, insurers and property companies. */
export const LENDER_RELEASES: readonly ReleaseCase[] = [
  {
    name: 'a bank with the preceding quarter between, and no line for revenue',
    document: htmlRelease(
      'First Heron Bancorp Reports Record Earnings',
      'First Heron Bancorp today reported net income of $3.1 million, or $0.62 per diluted share, for the quarter ended June 30, 2016, compared to $2.0 million, or $0.40 per diluted share, for the second quarter of 2015.',
      'Consolidated Statements of Income (unaudited) (in thousands, except per share data)',
      splitCells(
        table(`
      | Three Months Ended ×3
      | June 30, 2016 | March 31, 2016 | June 30, 2015
      ---
      Interest and fees on loans | $ 9,000 | $ 8,800 | $ 8,000
      Total interest income | 10,000 | 9,900 | 9,000
      Total interest expense | 2,000 | 2,100 | 2,500
      Net interest income | 8,000 | 7,800 | 6,500
      Provision for loan losses | 300 | 200 | 500
      Noninterest income | 1,500 | 1,400 | 1,300
      Noninterest expense | 5,000 | 4,900 | 4,800
      Net income | $ 3,100 | $ 3,000 | $ 2,000
      Basic earnings per share | $ 0.63 | $ 0.61 | $ 0.41
      Diluted earnings per share | $ 0.62 | $ 0.60 | $ 0.40
    `),
      ),
    ),
    expected: { periodEnd: '2016-06-30', epsDilutedGaap: '0.62', revenue: null },
  },
  {
    name: 'a bank with quarters below years',
    document: htmlRelease(
      'Heron Financial Reports',
      'Net income for the quarter ended June 30, 2016 was $3.1 million, or $0.62 per diluted share.',
      'Quarterly Financial Data (in thousands, except per share data)',
      plainCells(
        table(`
      | 2016 ×2 | 2015
      | 2nd Qtr | 1st Qtr | 4th Qtr
      ---
      Interest and fees on loans | $ 9,000 | $ 8,800 | $ 8,000
      Total interest income | 10,000 | 9,900 | 9,000
      Total interest expense | 2,000 | 2,100 | 2,500
      Net interest income | 8,000 | 7,800 | 6,500
      Provision for loan losses | 300 | 200 | 500
      Noninterest income | 1,500 | 1,400 | 1,300
      Noninterest expense | 5,000 | 4,900 | 4,800
      Net income | $ 3,100 | $ 3,000 | $ 2,000
      Basic earnings per share | $ 0.63 | $ 0.61 | $ 0.41
      Diluted earnings per share | $ 0.62 | $ 0.60 | $ 0.40
    `),
      ),
    ),
    expected: { periodEnd: '2016-06-30', epsDilutedGaap: '0.62', revenue: null },
  },
  {
    name: 'a bank with columns such as 2Q16',
    document: htmlRelease(
      'Heron Financial Reports Second Quarter 2016 Results',
      'Net income for the quarter ended June 30, 2016 was $3.1 million.',
      'Quarterly Financial Data (in thousands, except per share data)',
      plainCells(
        table(`
      | 2Q16 | 1Q16 | 2Q15
      ---
      Interest and fees on loans | $ 9,000 | $ 8,800 | $ 8,000
      Total interest income | 10,000 | 9,900 | 9,000
      Total interest expense | 2,000 | 2,100 | 2,500
      Net interest income | 8,000 | 7,800 | 6,500
      Provision for loan losses | 300 | 200 | 500
      Noninterest income | 1,500 | 1,400 | 1,300
      Noninterest expense | 5,000 | 4,900 | 4,800
      Net income | $ 3,100 | $ 3,000 | $ 2,000
      Basic earnings per share | $ 0.63 | $ 0.61 | $ 0.41
      Diluted earnings per share | $ 0.62 | $ 0.60 | $ 0.40
    `),
      ),
    ),
    expected: { periodEnd: '2016-06-30', epsDilutedGaap: '0.62', revenue: null },
  },
  {
    name: 'a bank with a line for all revenue, net of interest',
    document: htmlRelease(
      'Big Heron',
      'Consolidated statements of income (in millions, except per share data)',
      splitCells(
        table(`
      | Three months ended March 31, ×2
      | 2018 | 2017
      ---
      Total noninterest revenue | $ 14,595 | $ 12,700
      Interest income | 17,695 | 15,000
      Interest expense | 4,383 | 3,000
      Net interest income | 13,312 | 12,000
      Total net revenue | 27,907 | 24,700
      Provision for credit losses | 1,165 | 1,315
      Total noninterest expense | 16,080 | 15,000
      Net income | $ 8,712 | $ 6,448
      Basic earnings per share | $ 2.38 | $ 1.66
      Diluted earnings per share | 2.37 | 1.65
    `),
      ),
    ),
    expected: { periodEnd: '2018-03-31', epsDilutedGaap: '2.37', revenue: '27907000000' },
  },
  {
    name: 'a property company, whose funds from operations are not earnings',
    document: htmlRelease(
      'Heron Realty',
      'FFO per diluted share was $0.55. Net income per diluted share was $0.21 for the quarter ended June 30, 2019.',
      'Consolidated Statements of Operations (in thousands, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2 | Six Months Ended June 30, ×2
      | 2019 | 2018 | 2019 | 2018
      ---
      Rental revenue | $ 90,000 | $ 80,000 | $ 180,000 | $ 160,000
      Other property revenue | 1,000 | 900 | 2,000 | 1,800
      Total revenues | 91,000 | 80,900 | 182,000 | 161,800
      Depreciation | 30,000 | 29,000 | 60,000 | 58,000
      Net income | 22,000 | 20,000 | 43,000 | 40,000
      Net income attributable to common stockholders | $ 21,000 | $ 19,000 | $ 41,000 | $ 38,000
      Net income per common share - basic | $ 0.21 | $ 0.19 | $ 0.42 | $ 0.38
      Net income per common share - diluted | $ 0.21 | $ 0.19 | $ 0.41 | $ 0.38
    `),
      ),
      'Funds From Operations (in thousands, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2 | Six Months Ended June 30, ×2
      | 2019 | 2018 | 2019 | 2018
      ---
      Net income | 22,000 | 20,000 | 43,000 | 40,000
      FFO | $ 55,000 | $ 50,000 | $ 110,000 | $ 100,000
      FFO per diluted share | $ 0.55 | $ 0.50 | $ 1.10 | $ 1.00
      AFFO per diluted share | $ 0.50 | $ 0.45 | $ 1.00 | $ 0.90
    `),
      ),
    ),
    expected: {
      periodEnd: '2019-06-30',
      epsDilutedGaap: '0.21',
      revenue: '91000000',
      epsAdjusted: null,
    },
  },
  {
    name: 'an insurer with operating income per share',
    document: htmlRelease(
      'Heron Insurance',
      'Consolidated Statements of Income (in millions, except per share)',
      splitCells(
        table(`
      | Three Months Ended December 31, ×2 | Twelve Months Ended December 31, ×2
      | 2013 | 2012 | 2013 | 2012
      ---
      Revenues
      Premiums | $ 900.0 | $ 850.0 | $ 3,500.0 | $ 3,300.0
      Net investment income | 100.0 | 95.0 | 400.0 | 390.0
      Net realized gains | 10.0 | (5.0) | 20.0 | 10.0
      Total revenues | 1,010.0 | 940.0 | 3,920.0 | 3,700.0
      Losses and loss adjustment expenses | 600.0 | 800.0 | 2,400.0 | 2,600.0
      Net income | $ 120.0 | $ 30.0 | $ 480.0 | $ 300.0
      Earnings per common share:
      Basic | $ 1.21 | $ 0.30 | $ 4.80 | $ 3.00
      Diluted | $ 1.19 | $ 0.29 | $ 4.75 | $ 2.97
      Operating income per diluted share | $ 1.12 | $ 0.33 | $ 4.60 | $ 2.90
    `),
      ),
    ),
    expected: { periodEnd: '2013-12-31', epsDilutedGaap: '1.19', revenue: '1010000000' },
  },
  {
    name: 'a broker with revenue before and after interest',
    document: htmlRelease(
      'Heron Securities',
      'STATEMENTS OF OPERATIONS (in thousands, except per share data)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Revenues:
      Investment banking | $ 100,000 | $ 90,000
      Interest | 50,000 | 45,000
      Total revenues | 150,000 | 135,000
      Interest expense | 20,000 | 19,000
      Net revenues | 130,000 | 116,000
      Non-interest expenses | 90,000 | 80,000
      Net income | $ 25,000 | $ 20,000
      Earnings per diluted common share | $ 0.50 | $ 0.41
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '130000000' },
  },
  {
    name: 'a bank with results below the heading Per diluted share',
    document: htmlRelease(
      'First Heron Bank',
      'Financial highlights (in thousands, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Net interest income | $ 5,000 | $ 4,000
      Provision for loan losses | 100 | 90
      Net income | $ 500 | $ 400
      Per diluted common share:
      Net income | $ 0.50 | $ 0.41
      Cash dividends declared | 0.10 | 0.10
      Book value | 12.00 | 11.00
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: null },
  },
  {
    name: 'a property company with funds from operations per share in a row without a name',
    document: htmlRelease(
      'Heron REIT',
      'Net loss per diluted share of $(0.05) and FFO per diluted share of $0.50 for the quarter ended June 30, 2012.',
      'Statements of operations (in thousands, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Revenues
      Rental income | $ 4,500 | $ 3,600
      Tenant reimbursements | 500 | 400
      Total revenues | 5,000 | 4,000
      Depreciation | 1 | 1
      Net loss | (50) | (40)
      Net loss per share - basic and diluted | $ (0.05) | $ (0.04)
    `),
      ),
      'FFO (in thousands, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Net loss | (50) | (40)
      Depreciation | 550 | 500
      FFO | $ 500 | $ 460
      Per share - diluted | $ 0.50 | $ 0.46
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '-0.05', revenue: '5000000' },
  },
  {
    name: 'a bank with balances and results in one column',
    document: htmlRelease(
      'Heron Bancshares',
      'Selected Financial Data (dollars in thousands, except per share data)',
      splitCells(
        table(`
      | As of and for the Three Months Ended ×3
      | June 30, 2012 | March 31, 2012 | June 30, 2011
      ---
      Net interest income | $ 5,000 | $ 4,900 | $ 4,000
      Provision for loan losses | 100 | 90 | 80
      Net income | 500 | 490 | 400
      Per Share Data:
      Basic earnings | $ 0.51 | $ 0.50 | $ 0.42
      Diluted earnings | 0.50 | 0.49 | 0.41
      Cash dividends | 0.10 | 0.10 | 0.10
      Book value | 12.00 | 11.90 | 11.00
      Diluted weighted average shares | 1,000,500 | 1,000,400 | 999,900
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: null },
  },
  {
    name: 'a bank with total revenue among its highlights only',
    document: htmlRelease(
      'Heron Bancorp',
      'Financial highlights (dollars in thousands, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Net interest income | $ 5,000 | $ 4,000
      Noninterest income | 1,000 | 900
      Total revenue | 6,000 | 4,900
      Provision for credit losses | 100 | 90
      Noninterest expense | 3,000 | 2,900
      Net income | 500 | 400
      Diluted earnings per common share | 0.50 | 0.41
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: null },
  },
];
