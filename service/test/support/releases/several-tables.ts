import type { ReleaseCase } from './release-case.ts';
import { htmlRelease, plainCells, splitCells, table } from './release-markup.ts';

/** Releases whose results are spread over several tables. */
export const SEVERAL_TABLE_RELEASES: readonly ReleaseCase[] = [
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
    name: 'a summary of years beside the quarter',
    document: htmlRelease(
      'Heron',
      'Five-year summary (in millions, except per share)',
      plainCells(
        table(`
      | Years ended December 31, ×3
      | 2012 | 2011 | 2010
      ---
      Net sales | $ 20,000 | $ 19,000 | $ 18,000
      Net income | $ 2,000 | $ 1,900 | $ 1,800
      Diluted earnings per share | $ 2.00 | $ 1.90 | $ 1.80
    `),
      ),
      'Statements of income (in millions, except per share)',
      splitCells(
        table(`
      | Three Months Ended December 31, ×2
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
    ),
    expected: { periodEnd: '2012-12-31', epsDilutedGaap: '0.5', revenue: '5000000000' },
  },
  {
    name: 'sales of the next month',
    document: htmlRelease(
      'Heron Stores',
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
      'July sales (in millions)',
      splitCells(
        table(`
      | Month Ended July 31, ×2
      | 2012 | 2011
      ---
      Net sales | $ 1,700 | $ 1,500
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '5000000000' },
  },
  {
    name: 'titles within the table, the half year first',
    document: htmlRelease(
      'Heron',
      '<table><tr><td colspan=3>CONSOLIDATED STATEMENTS OF INCOME</td></tr><tr><td colspan=3>(in millions, except per share)</td></tr><tr><td></td><td colspan=2>Six Months Ended June 30,</td></tr><tr><td></td><td>2012</td><td>2011</td></tr><tr><td>Net sales</td><td>9,900</td><td>8,000</td></tr><tr><td>Cost</td><td>1</td><td>1</td></tr><tr><td>Taxes</td><td>1</td><td>1</td></tr><tr><td>Net income</td><td>950</td><td>800</td></tr><tr><td>Diluted earnings per share</td><td>0.95</td><td>0.80</td></tr></table>',
      '<table><tr><td colspan=3>CONSOLIDATED STATEMENTS OF INCOME</td></tr><tr><td colspan=3>(in millions, except per share)</td></tr><tr><td></td><td colspan=2>Three Months Ended June 30,</td></tr><tr><td></td><td>2012</td><td>2011</td></tr><tr><td>Net sales</td><td>5,000</td><td>4,000</td></tr><tr><td>Cost</td><td>1</td><td>1</td></tr><tr><td>Taxes</td><td>1</td><td>1</td></tr><tr><td>Net income</td><td>500</td><td>400</td></tr><tr><td>Diluted earnings per share</td><td>0.50</td><td>0.41</td></tr></table>',
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0.5', revenue: '5000000000' },
  },
];
