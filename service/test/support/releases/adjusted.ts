import type { ReleaseCase } from './release-case.ts';
import { htmlRelease, splitCells, table } from './release-markup.ts';

/** Releases with adjusted results beside the reported ones. */
export const ADJUSTED_RELEASES: readonly ReleaseCase[] = [
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
    name: 'adjusted results in front of the statement',
    document: htmlRelease(
      'Heron',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Adjusted net income | $ 600 | $ 500
      Adjusted diluted earnings per share | $ 0.60 | $ 0.51
      Adjusted EBITDA | $ 900 | $ 800
      Net sales growth | 5.0% | 4.0%
    `),
      ),
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
      Basic | $ 0.51 | $ 0.42
      Earnings per share - basic | $ 0.51 | $ 0.42
      Earnings per share - diluted | $ 0.50 | $ 0.41
    `),
      ),
    ),
    expected: {
      periodEnd: '2012-06-30',
      epsDilutedGaap: '0.5',
      epsAdjusted: '0.6',
      revenue: '5000000000',
    },
  },
  {
    name: 'a reconciliation alone',
    document: htmlRelease(
      'Heron',
      'Reconciliation of Non-GAAP measures (in millions, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Net income | $ 500 | $ 400
      Restructuring | 100 | 90
      Adjusted net income | $ 600 | $ 490
      Diluted EPS | $ 0.50 | $ 0.41
      Restructuring | 0.10 | 0.10
      Adjusted diluted EPS | $ 0.60 | $ 0.51
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30' },
  },
  {
    name: 'figures excluding special items',
    document: htmlRelease(
      'Heron Reports',
      'Net income was $500 million, or $0.50 per diluted share, for the quarter ended June 30, 2012. Excluding special items, earnings were $0.60 per diluted share.',
      'Highlights (in millions, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Revenue | $ 5,000 | $ 4,000
      Diluted EPS | $ 0.50 | $ 0.41
      Diluted EPS, excluding special items | $ 0.60 | $ 0.51
    `),
      ),
    ),
    expected: {
      periodEnd: '2012-06-30',
      epsDilutedGaap: '0.5',
      epsAdjusted: '0.6',
      revenue: '5000000000',
    },
  },
  {
    name: 'headings that say which rows are adjusted',
    document: htmlRelease(
      'Heron',
      'Highlights (in millions, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      GAAP:
      Revenue | $ 5,000 | $ 4,000
      Net income | $ 500 | $ 400
      Diluted earnings per share | $ 0.50 | $ 0.41
      Non-GAAP:
      Net income | $ 600 | $ 500
      Diluted earnings per share | $ 0.60 | $ 0.51
    `),
      ),
    ),
    expected: {
      periodEnd: '2012-06-30',
      epsDilutedGaap: '0.5',
      epsAdjusted: '0.6',
      revenue: '5000000000',
    },
  },
  {
    name: 'a table of adjusted results with the same labels',
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
      'Non-GAAP results (in millions, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Net sales | $ 5,000 | $ 4,000
      Operating income | $ 900 | $ 800
      Net income | $ 600 | $ 500
      Diluted earnings per share | $ 0.60 | $ 0.51
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '5000000000' },
  },
];
