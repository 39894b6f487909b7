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
    name: 'inline XBRL with hidden facts',
    document: htmlRelease(
      '<div style="display:none"><ix:header>Three Months Ended December 31, 2099</ix:header></div>',
      'Kestrel',
      'Statements of income (in thousands, except per share)',
      '<table><tr><td colspan="3" style="width:1%"></td><td colspan="3"></td></tr><tr><td colspan="3"></td><td colspan="9" style="text-align:center"><span>Three Months Ended</span></td></tr><tr><td colspan="3"></td><td colspan="3"><div><span>June 28, 2025</span></div></td><td colspan="3"></td><td colspan="3"><span>June 29, 2024</span></td></tr><tr><td colspan="3"><span>Net sales</span></td><td><span>$</span></td><td><ix:nonFraction>5,000</ix:nonFraction></td><td></td><td colspan="3"></td><td>$</td><td>4,000</td><td></td></tr><tr><td colspan="3"><span>Cost of sales</span></td><td><span>$</span></td><td><ix:nonFraction>1</ix:nonFraction></td><td></td><td colspan="3"></td><td>$</td><td>1</td><td></td></tr><tr><td colspan="3"><span>Taxes</span></td><td><span>$</span></td><td><ix:nonFraction>1</ix:nonFraction></td><td></td><td colspan="3"></td><td>$</td><td>1</td><td></td></tr><tr><td colspan="3"><span>Net income</span></td><td><span>$</span></td><td><ix:nonFraction>500</ix:nonFraction></td><td></td><td colspan="3"></td><td>$</td><td>400</td><td></td></tr><tr><td colspan="3">Diluted earnings per share</td><td colspan="2"><span style="color:#000">$0.50&nbsp;</span></td><td></td><td colspan="3"></td><td colspan="2">$0.41</td><td></td></tr></table>',
    ),
    expected: { periodEnd: '2025-06-28', epsDilutedGaap: '0.5', revenue: '5000000' },
  },
  {
    name: 'heads such as 3 Mos. Ended 6/30/12',
    document: htmlRelease(
      'Heron Wireless',
      '(dollars in millions, except per share amounts)',
      plainCells(
        table(`
      | 3 Mos. Ended 6/30/12 | 3 Mos. Ended 6/30/11 | % Change | 6 Mos. Ended 6/30/12 | 6 Mos. Ended 6/30/11 | % Change
      ---
      Operating Revenues |  |  |  |  |  |
      Service revenues | $ 4,000 | $ 3,000 | 33.3 | $ 8,000 | $ 6,000 | 33.3
      Total Operating Revenues | 5,000 | 4,000 | 25.0 | 9,900 | 8,000 | 23.8
      Operating Expenses | 1 | 1 |  | 1 | 1 |
      Net Income | 500 | 400 | 25.0 | 900 | 800 | 12.5
      Basic Earnings per Common Share | $ .51 | $ .42 | 21.4 | $ .92 | $ .82 | 12.2
      Diluted Earnings per Common Share | $ .50 | $ .41 | 22.0 | $ .91 | $ .81 | 12.3
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '5000000000' },
  },
  {
    name: 'quarters above their dates, with gaps between',
    document: htmlRelease(
      'Kestrel Memory',
      '(in millions, except per share amounts)',
      splitCells(
        table(`
      | 2nd Qtr. | 1st Qtr. | 2nd Qtr. | Six Months Ended ×2
      | February 27, 2020 | November 28, 2019 | February 28, 2019 | February 27, 2020 | February 28, 2019
      ---
      Revenue | $ 4,797 | $ 5,144 | $ 5,835 | $ 9,941 | $ 13,748
      Cost of goods sold | 3,442 | 3,778 | 2,971 | 7,220 | 6,269
      Income tax | (21) | (55) | (280) | (76) | (757)
      Net income | 405 | 491 | 1,619 | 896 | 4,912
      Earnings per share
      Basic | $ 0.37 | $ 0.44 | $ 1.45 | $ 0.81 | $ 4.36
      Diluted | 0.36 | 0.43 | 1.42 | 0.79 | 4.23
    `),
      ),
    ),
    expected: { periodEnd: '2020-02-27', epsDilutedGaap: '0.36', revenue: '4797000000' },
  },
  {
    name: 'a predecessor in the other column',
    document: htmlRelease(
      'Heron',
      'Statements of income (in millions, except per share)',
      plainCells(
        table(`
      | Successor | Predecessor
      | Three Months Ended June 30, 2012 | Three Months Ended June 30, 2011
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
    name: 'a pro forma column',
    document: htmlRelease(
      'Heron',
      'Statements of income (in millions, except per share)',
      plainCells(
        table(`
      | Three Months Ended June 30, ×3
      | 2012 | 2011 | 2011 Pro forma
      ---
      Net sales | $ 5,000 | $ 4,000 | $ 4,500
      Cost | 1 | 1 | 1
      Tax | 1 | 1 | 1
      Net income | $ 500 | $ 400 | $ 420
      Diluted earnings per share | $ 0.50 | $ 0.41 | $ 0.43
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '5000000000' },
  },
  {
    name: 'an empty column in front of the labels',
    document: htmlRelease(
      'Heron',
      'Statements of income (in millions, except per share)',
      '<table><tr><td width=5></td><td></td><td colspan=3>Three Months Ended June 30,</td></tr><tr><td></td><td></td><td>2012</td><td></td><td>2011</td></tr><tr><td></td><td>Revenues:</td></tr><tr><td></td><td>Products</td><td>4,000</td><td></td><td>3,000</td></tr><tr><td></td><td>Total revenues</td><td>5,000</td><td></td><td>4,000</td></tr><tr><td></td><td>Costs</td><td>1</td><td></td><td>1</td></tr><tr><td></td><td>Taxes</td><td>1</td><td></td><td>1</td></tr><tr><td></td><td>Net income</td><td>500</td><td></td><td>400</td></tr><tr><td></td><td>Earnings per share:</td></tr><tr><td></td><td>Basic</td><td>0.51</td><td></td><td>0.42</td></tr><tr><td></td><td>Diluted</td><td>0.50</td><td></td><td>0.41</td></tr></table>',
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '5000000000' },
  },
  {
    name: 'a heading in the second column',
    document: htmlRelease(
      'Heron',
      'Statements of income (in millions, except per share)',
      '<table><tr><td></td><td></td><td>Three Months Ended June 30, 2012</td><td>Three Months Ended June 30, 2011</td></tr><tr><td></td><td>Earnings per share:</td><td></td><td></td></tr><tr><td></td><td>Basic</td><td>0.51</td><td>0.42</td></tr><tr><td></td><td>Diluted</td><td>0.50</td><td>0.41</td></tr></table>',
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5' },
  },
  {
    name: 'quarters below years, the latest first',
    document: htmlRelease(
      'Heron reports second quarter 2012',
      'Results for the quarter ended June 30, 2012',
      '(in millions, except per share)',
      splitCells(
        table(`
      | 2012 ×2 | 2011 ×3
      | Q2 | Q1 | Q4 | Q3 | Q2
      ---
      Net sales | 5,000 | 4,900 | 4,800 | 4,700 | 4,000
      Cost | 1 | 1 | 1 | 1 | 1
      Tax | 1 | 1 | 1 | 1 | 1
      Net income | 500 | 490 | 480 | 470 | 400
      Diluted earnings per share | 0.50 | 0.49 | 0.48 | 0.47 | 0.41
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '5000000000' },
  },
  {
    name: 'quarters below years, the latest last',
    document: htmlRelease(
      'Heron reports second quarter 2012',
      'Results for the quarter ended June 30, 2012',
      '(in millions, except per share)',
      splitCells(
        table(`
      | 2011 ×3 | 2012 ×2
      | Q2 | Q3 | Q4 | Q1 | Q2
      ---
      Net sales | 4,000 | 4,700 | 4,800 | 4,900 | 5,000
      Cost | 1 | 1 | 1 | 1 | 1
      Tax | 1 | 1 | 1 | 1 | 1
      Net income | 400 | 470 | 480 | 490 | 500
      Diluted earnings per share | 0.41 | 0.47 | 0.48 | 0.49 | 0.50
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '5000000000' },
  },
];
