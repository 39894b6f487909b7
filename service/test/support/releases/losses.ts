import type { ReleaseCase } from './release-case.ts';
import { htmlRelease, plainCells, splitCells, table } from './release-markup.ts';

/** Releases with losses, and with results near zero. */
export const LOSS_RELEASES: readonly ReleaseCase[] = [
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
    name: 'footnotes behind the amounts',
    document: htmlRelease(
      'Kestrel',
      'Statements of income (in thousands, except per share)',
      plainCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2020 | 2019
      ---
      Revenues | $5,000(1) | $4,000
      Cost of revenues | 1 | 1
      Operating expenses | 1 | 1
      Income taxes | 1 | 1
      Net income | $(500)(2) | $(400)
      Net income per share:
      Basic | $(0.51)(3) | $(0.42)
      Diluted | $(0.50)(3) | $(0.41)
    `),
      ),
    ),
    expected: { periodEnd: '2020-06-30', revenue: '5000000' },
  },
  {
    name: 'earnings of zero',
    document: htmlRelease(
      'Kestrel',
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
      Net income | $ 5 | $ 400
      Net income per share:
      Basic | $ 0.00 | $ 0.42
      Diluted | $ 0.00 | $ 0.41
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '0', revenue: '5000000' },
  },
  {
    name: 'earnings of less than a cent',
    document: htmlRelease(
      'Kestrel',
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
      Net income | $ (5) | $ (400)
      Net income per share:
      Basic | $ (0.0051) | $ (0.0042)
      Diluted | $ (0.0051) | $ (0.0042)
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '-0.0051', revenue: '5000000' },
  },
  {
    name: 'losses with a minus sign',
    document: htmlRelease(
      'Heron',
      'Statements of income (in millions, except per share)',
      plainCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Revenue | 5,000.0 | 4,000.0
      Costs | −5,400.0 | −4,300.0
      Tax | −1 | −1
      Net loss | −500.0 | −400.0
      Loss per share, basic and diluted | −0.50 | −0.41
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '-0.5', revenue: '5000000000' },
  },
  {
    name: 'an opening bracket alone',
    document: htmlRelease(
      'Heron',
      'Statements of income (in millions, except per share)',
      plainCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Revenue | 5,000.0 | 4,000.0
      Costs | 5,400.0 | 4,300.0
      Tax | 1 | 1
      Net loss | (500.0) | (400.0)
      Net loss per share, basic and diluted | (0.50 | (0.41
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '-0.5', revenue: '5000000000' },
  },
  {
    name: 'a loss per share of two classes in one row',
    document: htmlRelease(
      'Heron Cloud Announces Second Quarter Fiscal 2024 Results',
      'Heron Cloud today announced results for its second quarter of fiscal 2024, ended July 31, 2023.',
      'Condensed Consolidated Statements of Operations (in thousands, except per share amounts)',
      splitCells(
        table(`
      | Three Months Ended July 31, ×2 | Six Months Ended July 31, ×2
      | 2023 | 2022 | 2023 | 2022
      ---
      Revenue:
      Subscription | $ 690,000 | $ 500,000 | $ 1,300,000 | $ 960,000
      Professional services | 34,000 | 30,000 | 66,000 | 60,000
      Total revenue | 724,000 | 530,000 | 1,366,000 | 1,020,000
      Cost of revenue | 1 | 1 | 1 | 1
      Net loss | $ (226,900) | $ (222,800) | $ (452,600) | $ (388,600)
      Net loss per share attributable to Heron Class A and Class B common stockholders – basic and diluted | $ (0.69) | $ (0.70) | $ (1.39) | $ (1.23)
    `),
      ),
    ),
    expected: { periodEnd: '2023-07-31', epsDilutedGaap: '-0.69', revenue: '724000000' },
  },
  {
    name: 'a loss without a sign',
    document: htmlRelease(
      'Heron Bio',
      'Statements of income (in millions, except per share)',
      splitCells(
        table(`
      | Three Months Ended June 30, ×2
      | 2012 | 2011
      ---
      Revenue | $ 5,000 | $ 4,000
      Costs | 5,400 | 4,300
      Tax | 1 | 1
      Other | 1 | 1
      Net loss | $ 500 | $ 400
      Net loss per share - basic and diluted | $ 0.50 | $ 0.41
    `),
      ),
    ),
    expected: { periodEnd: '2012-06-30', epsDilutedGaap: '-0.5', revenue: '5000000000' },
  },
];
