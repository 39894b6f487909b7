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
];
