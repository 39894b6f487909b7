import type { ReleaseCase } from './release-case.ts';
import { htmlRelease, plainCells, splitCells, table } from './release-markup.ts';

/** Releases from which a value must not be taken. */
export const REFUSED_RELEASES: readonly ReleaseCase[] = [
  {
    name: 'two classes of shares with different earnings',
    document: htmlRelease(
      'Kestrel',
      'Consolidated statements of operations (in thousands, except per share data)',
      splitCells(
        table(`
      | Three Months Ended March 31, ×2
      | 2015 | 2014
      ---
      Net sales | $ 100,000 | $ 90,000
      Costs | 80,000 | 70,000
      Taxes | 1,000 | 900
      Net income | $ 10,000 | $ 9,000
      Diluted earnings per share:
      Class A common | $ 1.10 | $ 1.00
      Class B common | $ 1.00 | $ 0.91
    `),
      ),
    ),
    expected: { periodEnd: '2015-03-31', epsDilutedGaap: null, revenue: '100000000' },
  },
  {
    name: 'expected ranges in sentences',
    document: htmlRelease(
      'Kestrel Announces Preliminary Fourth Quarter Results',
      'Kestrel today announced that it expects revenue for the quarter ended December 31, 2018 to be in the range of $45 million to $47 million and GAAP loss per share of $0.10 to $0.12.',
      'The Company will report its fourth quarter results on February 12, 2019.',
    ),
    expected: { epsDilutedGaap: null, revenue: null },
  },
  {
    name: 'expected ranges in a table',
    document: htmlRelease(
      'Kestrel 2020',
      'Preliminary results for the quarter ended March 31, 2020',
      plainCells(
        table(`
      | Estimated range for the three months ended March 31, 2020 ×2
      | Low | High
      ---
      Revenue (in millions) | $10.1 | $11.2
      Diluted loss per share | $(0.10) | $(0.12)
    `),
      ),
    ),
    expected: { epsDilutedGaap: null, revenue: null },
  },
  {
    name: 'a year without its last quarter',
    document: htmlRelease(
      'Kestrel Reports Fiscal 2012 Results',
      'Statements of income (in thousands, except per share)',
      splitCells(
        table(`
      | Years Ended June 30, ×2
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
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: null, revenue: null },
  },
  {
    name: 'continuing operations alone, beside discontinued ones',
    document: htmlRelease(
      'Kestrel',
      'The company sold a division, reported as discontinued operations.',
      'Statements of income (in millions, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Net sales | $ 500.0 | $ 400.0
      Costs | 1 | 1
      Income from continuing operations | 50.0 | 40.0
      Loss from discontinued operations | (5.0) | (2.0)
      Net income | $ 45.0 | $ 38.0
      Diluted earnings per share from continuing operations | $ 0.51 | $ 0.35
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: null, revenue: '500000000' },
  },
  {
    name: 'diluted earnings above basic ones',
    document: htmlRelease(
      'Kestrel',
      'Statements of income (in millions, except per share)',
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
      Basic | $ 0.15 | $ 0.42
      Diluted | $ 0.50 | $ 0.41
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: null, revenue: '5000000000' },
  },
  {
    name: 'another announcement',
    document: htmlRelease(
      'Heron Appoints New Chief Financial Officer',
      'HERONVILLE, July 25, 2012 - Heron Corp. today announced the appointment of Jane Doe as chief financial officer. Ms. Doe joins from Kestrel, where revenue grew to $5.0 billion in the year ended December 31, 2011.',
      'She will receive a salary of $500,000 and options with a price of $12.50 per share.',
    ),
    expected: { periodEnd: null, epsDilutedGaap: null, revenue: null },
  },
  {
    name: 'columns that can be the quarter or nine months',
    document: htmlRelease(
      'Heron',
      'Statements of income (in millions, except per share)',
      splitCells(
        table(`
      | September 30, 2012 | September 30, 2011
      ---
      Net sales | $ 5,000 | $ 4,000
      Cost of sales | 1 | 1
      Operating expenses | 1 | 1
      Income taxes | 1 | 1
      Net income | $ 500 | $ 400
      Diluted earnings per share | $ 1.50 | $ 1.41
    `),
      ),
      'The nine months ended September 30, 2012 included 39 weeks.',
    ),
    expected: { periodEnd: '2012-09-30', epsDilutedGaap: null },
  },
  {
    name: 'a per-share amount without decimals',
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
      Diluted earnings per share | $ 2 | $ 1
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: null, revenue: '5000000000' },
  },
  {
    name: 'a sentence with the amount of another column',
    document: htmlRelease(
      'Heron Reports',
      'For the quarter ended June 30, 2012, Heron earned $0.41 per diluted share.',
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
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: null, revenue: '5000000000' },
  },
];
