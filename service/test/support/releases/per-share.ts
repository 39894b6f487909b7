import type { ReleaseCase } from './release-case.ts';
import { htmlRelease, splitCells, table } from './release-markup.ts';

/** Releases with several results per share. */
export const PER_SHARE_RELEASES: readonly ReleaseCase[] = [
  {
    name: 'discontinued operations, with the whole result in the last row',
    document: htmlRelease(
      'Kestrel First Quarter',
      'Income from continuing operations was $1.00 per diluted share.',
      'Consolidated Statements of Earnings (in millions, except per share)',
      splitCells(
        table(`
      | Three Months Ended March 31, ×2
      | 2012 | 2011
      ---
      Sales | $ 500.1 | $ 450.0
      Cost | 300.0 | 280.0
      Income from continuing operations | 50.0 | 40.0
      Loss from discontinued operations, net of tax | (5.0) | (2.0)
      Net income | $ 45.0 | $ 38.0
      Basic earnings per share:
      Continuing operations | $ 1.02 | $ 0.82
      Discontinued operations | (0.10) | (0.04)
      Net income | $ 0.92 | $ 0.78
      Diluted earnings per share:
      Continuing operations | $ 1.00 | $ 0.80
      Discontinued operations | (0.10) | (0.04)
      Net income | $ 0.90 | $ 0.76
    `),
      ),
    ),
    expected: { periodEnd: '2012-03-31', epsDilutedGaap: '0.9', revenue: '500100000' },
  },
  {
    name: 'discontinued operations named in the labels',
    document: htmlRelease(
      'Kestrel',
      'Income statement (in millions, except per share)',
      splitCells(
        table(`
      | Three Months Ended March 31, ×2
      | 2012 | 2011
      ---
      Sales | $ 500.1 | $ 450.0
      Cost | 300.0 | 280.0
      Income from continuing operations | 50.0 | 40.0
      Loss from discontinued operations, net of tax | (5.0) | (2.0)
      Net income | $ 45.0 | $ 38.0
      Diluted earnings per share from continuing operations | $ 1.00 | $ 0.80
      Diluted loss per share from discontinued operations | (0.10) | (0.04)
      Diluted earnings per share | $ 0.90 | $ 0.76
    `),
      ),
    ),
    expected: { periodEnd: '2012-03-31', epsDilutedGaap: '0.9', revenue: '500100000' },
  },
  {
    name: 'a loss in one row for basic and diluted shares',
    document: htmlRelease(
      'Kestrel Therapeutics Reports Third Quarter 2023 Financial Results',
      'Net loss for the third quarter of 2023 was $45.2 million, or $0.88 per share, compared to $39.0 million, or $0.91 per share, for the third quarter of 2022.',
      'Condensed Consolidated Statements of Operations and Comprehensive Loss',
      '(in thousands, except share and per share amounts)',
      splitCells(
        table(`
      | Three Months Ended September 30, ×2 | Nine Months Ended September 30, ×2
      | 2023 | 2022 | 2023 | 2022
      ---
      Operating expenses:
      Research and development | $ 35,000 | $ 30,000 | $ 100,000 | $ 90,000
      General and administrative | 12,000 | 11,000 | 34,000 | 30,000
      Total operating expenses | 47,000 | 41,000 | 134,000 | 120,000
      Loss from operations | (47,000) | (41,000) | (134,000) | (120,000)
      Interest income | 1,800 | 2,000 | 5,000 | 3,000
      Net loss | $ (45,200) | $ (39,000) | $ (129,000) | $ (117,000)
      Net loss per share, basic and diluted | $ (0.88) | $ (0.91) | $ (2.60) | $ (2.75)
      Weighted-average common shares outstanding, basic and diluted | 51,363,636 | 42,857,142 | 49,615,384 | 42,545,454
    `),
      ),
    ),
    expected: { periodEnd: '2023-09-30', epsDilutedGaap: '-0.88', revenue: null },
  },
  {
    name: 'earnings as adjusted for a stock split',
    document: htmlRelease(
      'Kestrel',
      'Consolidated Statements of Income (in millions, except per share amounts)',
      splitCells(
        table(`
      | Three Months Ended ×2
      | June 27, 2020 | June 29, 2019
      ---
      Net sales | $ 59,685 | $ 53,809
      Cost of sales | 37,005 | 33,582
      Provision | 1 | 1
      Net income | $ 11,253 | $ 10,044
      Earnings per share (as adjusted for the four-for-one stock split):
      Basic | $ 0.65 | $ 0.55
      Diluted | $ 0.65 | $ 0.55
    `),
      ),
    ),
    expected: { periodEnd: '2020-06-27', epsDilutedGaap: '0.65', revenue: '59685000000' },
  },
  {
    name: 'reported and adjusted figures in columns',
    document: htmlRelease(
      'Kestrel',
      'Reconciliation of GAAP to Non-GAAP (in thousands, except per share)',
      splitCells(
        table(`
      | Three Months Ended March 31, 2022 ×3
      | GAAP | Adjustments | Non-GAAP
      ---
      Revenue | $ 50,000 | — | $ 50,000
      Cost of revenue | 20,000 | (1,000) | 19,000
      Operating income | 5,000 | 4,000 | 9,000
      Net income | $ 4,000 | $ 3,000 | $ 7,000
      Diluted net income per share | $ 0.20 | $ 0.15 | $ 0.35
    `),
      ),
      'Condensed Consolidated Statements of Operations (in thousands, except per share)',
      splitCells(
        table(`
      | Three Months Ended March 31, ×2
      | 2022 | 2021
      ---
      Revenue | $ 50,000 | $ 45,000
      Cost of revenue | 20,000 | 18,000
      Operating income | 5,000 | 4,000
      Net income | $ 4,000 | $ 3,000
      Net income per share, basic | $ 0.21 | $ 0.16
      Net income per share, diluted | $ 0.20 | $ 0.15
    `),
      ),
    ),
    expected: {
      periodEnd: '2022-03-31',
      epsDilutedGaap: '0.2',
      revenue: '50000000',
      epsAdjusted: '0.35',
    },
  },
  {
    name: 'operating earnings, which are adjusted',
    document: htmlRelease(
      'Heron Electric reports third-quarter results',
      'Heron Electric reported third-quarter 2017 GAAP earnings of $1.20 per share and operating earnings of $1.35 per share.',
      'Consolidated statements of income (in millions, except per share)',
      splitCells(
        table(`
      | Three months ended September 30, ×2 | Nine months ended September 30, ×2
      | 2017 | 2016 | 2017 | 2016
      ---
      Operating revenues | $ 3,000 | $ 2,900 | $ 8,500 | $ 8,200
      Fuel | 900 | 850 | 2,500 | 2,400
      Income taxes | 200 | 190 | 500 | 480
      Net income | $ 600 | $ 550 | $ 1,400 | $ 1,300
      Earnings per share - diluted | $ 1.20 | $ 1.10 | $ 2.80 | $ 2.60
    `),
      ),
      'Reconciliation',
      splitCells(
        table(`
      | Three months ended September 30, ×2
      | 2017 | 2016
      ---
      GAAP earnings per share | $ 1.20 | $ 1.10
      Merger costs | 0.15 | 0.05
      Operating earnings per share | $ 1.35 | $ 1.15
    `),
      ),
    ),
    expected: {
      periodEnd: '2017-09-30',
      epsDilutedGaap: '1.2',
      revenue: '3000000000',
      epsAdjusted: '1.35',
    },
  },
  {
    name: 'earnings stated in cents',
    document: htmlRelease(
      'Kestrel',
      'Earnings were 41 cents per diluted share for the quarter ended March 31, 2004, compared with 38 cents a year earlier.',
      'Consolidated Statements of Income (in thousands, except per share)',
      splitCells(
        table(`
      | Quarter Ended March 31, ×2
      | 2004 | 2003
      ---
      Revenues | $ 50,000 | $ 45,000
      Cost of revenue | 20,000 | 18,000
      Operating income | 5,000 | 4,000
      Net income | $ 4,000 | $ 3,000
      Earnings per share:
      Basic | $ .42 | $ .39
      Diluted | $ .41 | $ .38
    `),
      ),
    ),
    expected: { periodEnd: '2004-03-31', epsDilutedGaap: '0.41', revenue: '50000000' },
  },
  {
    name: 'a partnership with units',
    document: htmlRelease(
      'Heron Pipeline Partners',
      'Statements of income (in millions, except per unit)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2015 | 2014
      ---
      Total revenues | $ 1,234 | $ 1,111
      Costs | 1 | 1
      Net income | $ 123 | $ 111
      Net income attributable to partners | $ 120 | $ 110
      Basic net income per limited partner unit | $ 0.45 | $ 0.42
      Diluted net income per limited partner unit | $ 0.44 | $ 0.41
    `),
      ),
    ),
    expected: { periodEnd: '2015-06-30', epsDilutedGaap: '0.44', revenue: '1234000000' },
  },
  {
    name: 'adjusted results below their own heading',
    document: htmlRelease(
      'Kestrel',
      'Condensed statements (in thousands, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2020 | 2019
      ---
      Revenues | $ 5,000 | $ 4,000
      Cost of revenues | 1 | 1
      Operating expenses | 1 | 1
      Income taxes | 1 | 1
      Net income | $ 500 | $ 400
      Net income per share:
      Basic | $ 0.51 | $ 0.42
      Diluted | $ 0.50 | $ 0.41
      Non-GAAP net income per share:
      Basic | $ 0.71 | $ 0.62
      Diluted | $ 0.70 | $ 0.61
    `),
      ),
    ),
    expected: {
      periodEnd: '2020-06-30',
      epsDilutedGaap: '0.5',
      epsAdjusted: '0.7',
      revenue: '5000000',
    },
  },
  {
    name: 'a share of others in the result',
    document: htmlRelease(
      'Kestrel',
      'Statements of operations (in millions, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Net revenues | $ 500.0 | $ 400.0
      Costs | 1 | 1
      Net income | $ 60.0 | $ 40.0
      Less: net income attributable to noncontrolling interests | 10.0 | 5.0
      Net income attributable to Kestrel | $ 50.0 | $ 35.0
      Amounts attributable to Kestrel common shareholders:
      Basic earnings per share from continuing operations | $ 0.52 | $ 0.36
      Basic earnings per share | $ 0.51 | $ 0.36
      Diluted earnings per share from continuing operations | $ 0.51 | $ 0.35
      Diluted earnings per share | $ 0.50 | $ 0.35
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '500000000' },
  },
];
