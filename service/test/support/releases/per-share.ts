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
  {
    name: 'a profit per share',
    document: htmlRelease(
      'Heron Machines',
      'Statements of income (in millions, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Sales and revenues:
      Sales of machinery | $ 4,000 | $ 3,000
      Revenues of financial products | 1,000 | 1,000
      Total sales and revenues | 5,000 | 4,000
      Operating costs | 1 | 1
      Taxes | 1 | 1
      Profit of consolidated companies | 500 | 400
      Profit | $ 500 | $ 400
      Profit per common share | $ 0.51 | $ 0.42
      Profit per common share — diluted | $ 0.50 | $ 0.41
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '5000000000' },
  },
  {
    name: 'one row for two classes',
    document: htmlRelease(
      'Heron Media',
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
      Net income per share, Class A and Class B - basic | $ 0.51 | $ 0.42
      Net income per share, Class A and Class B - diluted | $ 0.50 | $ 0.41
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '5000000000' },
  },
  {
    name: 'revenue net of reserves',
    document: htmlRelease(
      'Heron',
      'Statements of income (in millions, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Revenues, net of reserves | $ 5,000 | $ 4,000
      Cost of sales | 1 | 1
      Operating expenses | 1 | 1
      Income taxes | 1 | 1
      Net income | $ 500 | $ 400
      Diluted earnings per share | $ 0.50 | $ 0.41
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5' },
  },
];
