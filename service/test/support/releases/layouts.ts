import type { ReleaseCase } from './release-case.ts';
import { htmlRelease, plainCells, table } from './release-markup.ts';

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
];
