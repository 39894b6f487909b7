import type { ReleaseCase } from './release-case.ts';
import { htmlRelease, plainCells, splitCells, table } from './release-markup.ts';

/** Releases whose columns are in an unusual order or place. */
export const LAYOUT_RELEASES: readonly ReleaseCase[] = [
  {
    name: 'the year in front of its last quarter',
    document: htmlRelease(
      'Kestrel',
      'Statements of Income',
      '(Dollars in thousands, except per share)',
      plainCells(
        table(`
      | Twelve Months Ended ×2 | Three Months Ended ×2
      | Dec. 28, 2014 | Dec. 29, 2013 | Dec. 28, 2014 | Dec. 29, 2013
      ---
      Net revenue | $4,000 | $3,000 | $1,100 | $900
      Costs | 3,000 | 2,000 | 800 | 700
      Tax | 1 | 1 | 1 | 1
      Other | 1 | 1 | 1 | 1
      Net loss | (500) | (400) | (120) | (100)
      Net loss per common share, basic and diluted | $(0.50) | $(0.40) | $(0.12) | $(0.10)
    `),
      ),
    ),
    expected: { periodEnd: '2014-12-28', epsDilutedGaap: '-0.12', revenue: '1100000' },
  },
  {
    name: 'the earlier year first, with percentages between',
    document: htmlRelease(
      'Kestrel',
      'Consolidated income statements (in thousands, except per share data)',
      plainCells(
        table(`
      | Three Months Ended June 30, ×4
      | 2009 | % of sales | 2010 | % of sales
      ---
      Net sales | $100,000 | 100.0% | $120,000 | 100.0%
      Cost of sales | 60,000 | 60.0 | 70,000 | 58.3
      Gross profit | 40,000 | 40.0 | 50,000 | 41.7
      Net income | $5,000 | 5.0 | $8,000 | 6.7
      Basic earnings per share | $0.25 |  | $0.40 |
      Diluted earnings per share | $0.24 |  | $0.39 |
    `),
      ),
    ),
    expected: { periodEnd: '2010-06-30', epsDilutedGaap: '0.39', revenue: '120000000' },
  },
  {
    name: 'the period in the title alone',
    document: htmlRelease(
      'Kestrel',
      'STATEMENTS OF INCOME',
      'FOR THE QUARTERS ENDED MARCH 31, 2011 AND 2010',
      '(in thousands, except per share)',
      plainCells(
        table(`
      | 2011 | 2010
      ---
      Net sales | $100,000 | $90,000
      Cost of sales | 60,000 | 55,000
      Taxes | 1 | 1
      Net income | $5,000 | $4,000
      Net income per share (diluted) | $0.24 | $0.20
    `),
      ),
    ),
    expected: { periodEnd: '2011-03-31', epsDilutedGaap: '0.24', revenue: '100000000' },
  },
  {
    name: 'the quarter above the half year in one table',
    document: htmlRelease(
      'Kestrel',
      'STATEMENTS OF INCOME (in thousands, except per share)',
      '<table><tr><td colspan=3>Three months ended June 30,</td></tr><tr><td></td><td>2011</td><td>2010</td></tr><tr><td>Net sales</td><td>100,000</td><td>90,000</td></tr><tr><td>Costs</td><td>1</td><td>1</td></tr><tr><td>Net income</td><td>5,000</td><td>4,000</td></tr><tr><td>Diluted earnings per share</td><td>0.24</td><td>0.20</td></tr><tr><td colspan=3>Six months ended June 30,</td></tr><tr><td></td><td>2011</td><td>2010</td></tr><tr><td>Net sales</td><td>190,000</td><td>170,000</td></tr><tr><td>Costs</td><td>1</td><td>1</td></tr><tr><td>Net income</td><td>9,000</td><td>8,000</td></tr><tr><td>Diluted earnings per share</td><td>0.44</td><td>0.40</td></tr></table>',
    ),
    expected: { periodEnd: '2011-06-30', epsDilutedGaap: '0.24', revenue: '100000000' },
  },
  {
    name: 'the quarter and the half year in two tables',
    document: htmlRelease(
      'Kestrel second quarter',
      'STATEMENTS OF INCOME (in thousands, except per share)',
      'Three months ended June 30,',
      plainCells(
        table(`
      | 2011 | 2010
      ---
      Net sales | 100,000 | 90,000
      Costs | 1 | 1
      Net income | 5,000 | 4,000
      Diluted earnings per share | 0.24 | 0.20
    `),
      ),
      'Six months ended June 30,',
      plainCells(
        table(`
      | 2011 | 2010
      ---
      Net sales | 190,000 | 170,000
      Costs | 1 | 1
      Net income | 9,000 | 8,000
      Diluted earnings per share | 0.44 | 0.40
    `),
      ),
    ),
    expected: { periodEnd: '2011-06-30', epsDilutedGaap: '0.24', revenue: '100000000' },
  },
  {
    name: 'three quarters with changes behind them',
    document: htmlRelease(
      'Kestrel Q3 2021 results',
      'Consolidated results (in millions, except per share)',
      plainCells(
        table(`
      | Q3 2021 | Q2 2021 | Q3 2020 | Q/Q | Y/Y
      ---
      Revenues | $ 500 | $ 480 | $ 450 | 4% | 11%
      Cost of revenues | 1 | 1 | 1 | 1 | 1
      Operating expenses | 1 | 1 | 1 | 1 | 1
      Income taxes | 1 | 1 | 1 | 1 | 1
      Net income | $ 50 | $ 48 | $ 40 | 4% | 25%
      Net income per share:
      Basic | $ 0.52 | $ 0.50 | $ 0.42 | 4% | 24%
      Diluted | $ 0.51 | $ 0.49 | $ 0.41 | 4% | 24%
    `),
      ),
      'Results for the quarter ended September 30, 2021.',
    ),
    expected: { periodEnd: '2021-09-30', epsDilutedGaap: '0.51', revenue: '500000000' },
  },
  {
    name: 'numeric dates',
    document: htmlRelease(
      'Kestrel',
      'Statements of income (in thousands, except per share)',
      plainCells(
        table(`
      | Three Months Ended ×2 | Six Months Ended ×2
      | 06/30/20 | 06/30/19 | 06/30/20 | 06/30/19
      ---
      Revenues | $5,000 | $4,000 | $9,000 | $8,000
      Cost of revenues | 1 | 1 | 1 | 1
      Operating expenses | 1 | 1 | 1 | 1
      Income taxes | 1 | 1 | 1 | 1
      Net income | $500 | $400 | $900 | $800
      Net income per share:
      Basic | $0.51 | $0.42 | $0.93 | $0.81
      Diluted | $0.50 | $0.41 | $0.92 | $0.80
    `),
      ),
    ),
    expected: { periodEnd: '2020-06-30', epsDilutedGaap: '0.5', revenue: '5000000' },
  },
  {
    name: 'dates such as 30-Sep-20',
    document: htmlRelease(
      'Kestrel',
      'Statements of income (in thousands, except per share)',
      plainCells(
        table(`
      | Quarter ended ×2
      | 30-Sep-20 | 30-Sep-19
      ---
      Revenues | $5,000 | $4,000
      Cost of revenues | 1 | 1
      Operating expenses | 1 | 1
      Income taxes | 1 | 1
      Net income | $500 | $400
      Net income per share:
      Basic | $0.51 | $0.42
      Diluted | $0.50 | $0.41
    `),
      ),
    ),
    expected: { periodEnd: '2020-09-30', epsDilutedGaap: '0.5', revenue: '5000000' },
  },
  {
    name: 'years above the periods',
    document: htmlRelease(
      'Kestrel',
      'Statements of income (in thousands, except per share)',
      plainCells(
        table(`
      | 2020 | 2019 | 2020 | 2019
      | Three months ended June 30 ×2 | Six months ended June 30 ×2
      ---
      Revenues | $5,000 | $4,000 | $9,000 | $8,000
      Cost of revenues | 1 | 1 | 1 | 1
      Operating expenses | 1 | 1 | 1 | 1
      Income taxes | 1 | 1 | 1 | 1
      Net income | $500 | $400 | $900 | $800
      Net income per share:
      Basic | $0.51 | $0.42 | $0.93 | $0.81
      Diluted | $0.50 | $0.41 | $0.92 | $0.80
    `),
      ),
    ),
    expected: { periodEnd: '2020-06-30', epsDilutedGaap: '0.5', revenue: '5000000' },
  },
  {
    name: 'column heads in a table of their own',
    document: htmlRelease(
      'Kestrel',
      'Statements of income (in thousands, except per share)',
      '<table><tr><td></td><td colspan=2>Three Months Ended June 30,</td></tr><tr><td></td><td>2020</td><td>2019</td></tr></table>',
      plainCells(
        table(`
      ---
      Revenues | $5,000 | $4,000
      Cost of revenues | 1 | 1
      Operating expenses | 1 | 1
      Income taxes | 1 | 1
      Net income | $500 | $400
      Net income per share:
      Basic | $0.51 | $0.42
      Diluted | $0.50 | $0.41
    `),
      ),
    ),
    expected: { periodEnd: '2020-06-30', epsDilutedGaap: '0.5', revenue: '5000000' },
  },
  {
    name: 'a statement that continues in a second table',
    document: htmlRelease(
      'Kestrel',
      'Statements of income (in thousands, except per share)',
      plainCells(
        table(`
      | Three Months Ended June 30, ×2 | Six Months Ended June 30, ×2
      | 2020 | 2019 | 2020 | 2019
      ---
      Net sales | $5,000 | $4,000 | $9,000 | $8,000
      Cost of sales | 1 | 1 | 1 | 1
      Net income | $500 | $400 | $900 | $800
    `),
      ),
      plainCells(
        table(`
      ---
      Earnings per share:
      Basic | $0.51 | $0.42 | $0.93 | $0.81
      Diluted | $0.50 | $0.41 | $0.92 | $0.80
    `),
      ),
    ),
    expected: { periodEnd: '2020-06-30', epsDilutedGaap: '0.5', revenue: '5000000' },
  },
  {
    name: 'a table of later dates',
    document: htmlRelease(
      'HERONVILLE, July 25, 2012 - Kestrel today announced results for the quarter ended June 30, 2012.',
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
      Net income | $ 500 | $ 400
      Net income per share:
      Basic | $ 0.51 | $ 0.42
      Diluted | $ 0.50 | $ 0.41
    `),
      ),
      'Contracted revenue (in thousands)',
      splitCells(
        table(`
      | December 31, 2012 | December 31, 2013
      ---
      Revenue | $ 9,000 | $ 4,000
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '5000000' },
  },
  {
    name: 'inline XBRL with hidden facts',
    document: htmlRelease(
      '<div style="display:none"><ix:header>Three Months Ended December 31, 2099</ix:header></div>',
      'Kestrel',
      'Statements of income (in thousands, except per share)',
      '<table><tr><td colspan="3" style="width:1%"></td><td colspan="3"></td></tr><tr><td colspan="3"></td><td colspan="9" style="text-align:center"><span>Three Months Ended</span></td></tr><tr><td colspan="3"></td><td colspan="3"><div><span>June 28, 2025</span></div></td><td colspan="3"></td><td colspan="3"><span>June 29, 2024</span></td></tr><tr><td colspan="3"><span>Net sales</span></td><td><span>$</span></td><td><ix:nonFraction>5,000</ix:nonFraction></td><td></td><td colspan="3"></td><td>$</td><td>4,000</td><td></td></tr><tr><td colspan="3"><span>Cost of sales</span></td><td><span>$</span></td><td><ix:nonFraction>1</ix:nonFraction></td><td></td><td colspan="3"></td><td>$</td><td>1</td><td></td></tr><tr><td colspan="3"><span>Taxes</span></td><td><span>$</span></td><td><ix:nonFraction>1</ix:nonFraction></td><td></td><td colspan="3"></td><td>$</td><td>1</td><td></td></tr><tr><td colspan="3"><span>Net income</span></td><td><span>$</span></td><td><ix:nonFraction>500</ix:nonFraction></td><td></td><td colspan="3"></td><td>$</td><td>400</td><td></td></tr><tr><td colspan="3">Diluted earnings per share</td><td colspan="2"><span style="color:#000">$0.50&nbsp;</span></td><td></td><td colspan="3"></td><td colspan="2">$0.41</td><td></td></tr></table>',
    ),
    expected: { periodEnd: '2025-06-28', epsDilutedGaap: '0.5', revenue: '5000000' },
  },
];
