import type { ReleaseCase } from './release-case.ts';
import { htmlRelease, plainCells, splitCells, table } from './release-markup.ts';

/** Releases of filers abroad. */
export const FOREIGN_RELEASES: readonly ReleaseCase[] = [
  {
    name: 'yuan beside a translation to dollars, per depositary share',
    document: htmlRelease(
      'Heron Technology Announces Third Quarter 2022 Unaudited Financial Results',
      'Diluted net income per ADS was RMB2.50 (US$0.35) in the third quarter of 2022.',
      'HERON TECHNOLOGY UNAUDITED CONDENSED CONSOLIDATED STATEMENTS OF OPERATIONS',
      '(All amounts in thousands, except for share, per share and per ADS data)',
      splitCells(
        table(`
      | For the Three Months Ended September 30, ×3
      | 2021 | 2022 ×2
      | RMB | RMB | US$
      ---
      Net revenues | 4,000,000 | 5,000,000 | 702,888
      Cost of revenues | (2,000,000) | (2,500,000) | (351,000)
      Operating income | 900,000 | 1,000,000 | 140,000
      Net income | 700,000 | 800,000 | 112,462
      Net income per share:
      Basic | 1.10 | 1.30 | 0.18
      Diluted | 1.05 | 1.25 | 0.18
      Net income per ADS (1 ADS equals 2 shares):
      Basic | 2.20 | 2.60 | 0.36
      Diluted | 2.10 | 2.50 | 0.35
    `),
      ),
    ),
    expected: {
      periodEnd: '2022-09-30',
      epsDilutedGaap: '2.5',
      revenue: '5000000000',
      unit: 'CNY/ADS',
    },
  },
  {
    name: 'euros with decimal commas',
    document: htmlRelease(
      'Heron N.V. Q2 2021 results',
      'Interim condensed consolidated statement of income (in millions of euros, except per share)',
      plainCells(
        table(`
      | Three months ended June 30, ×2 | Six months ended June 30, ×2
      | 2021 | 2020 | 2021 | 2020
      ---
      Net sales | 4.020,3 | 3.325,5 | 8.384,2 | 5.766,1
      Cost of sales | (1.974,5) | (1.725,7) | (4.000,0) | (3.000,0)
      Income taxes | (100,2) | (90,1) | (200,3) | (180,0)
      Net income | 1.038,1 | 750,9 | 2.369,2 | 1.141,2
      Basic net income per ordinary share | 2,52 | 1,79 | 5,73 | 2,72
      Diluted net income per ordinary share | 2,51 | 1,78 | 5,71 | 2,71
    `),
      ),
    ),
    expected: {
      periodEnd: '2021-06-30',
      epsDilutedGaap: '2.51',
      revenue: '4020300000',
      unit: 'EUR/share',
    },
  },
  {
    name: 'a half year without its last quarter',
    document: htmlRelease(
      'Heron plc half year results',
      'Group income statement for the six months ended 30 June 2022 (£m)',
      plainCells(
        table(`
      | Six months ended 30 June ×2
      | 2022 | 2021
      ---
      Revenue | 1,500 | 1,400
      Cost of sales | 900 | 800
      Profit before tax | 200 | 190
      Profit for the period | 150 | 140
      Earnings per share |  |
      Basic | 45.1p | 42.0p
      Diluted | 44.8p | 41.7p
    `),
      ),
    ),
    expected: { periodEnd: '2022-06-30', epsDilutedGaap: null, revenue: null },
  },
  {
    name: 'Canadian dollars behind a bare dollar sign',
    document: htmlRelease(
      'Heron Mines reports Q3',
      'All amounts are in Canadian dollars unless otherwise noted.',
      'Consolidated statements of income (in millions of Canadian dollars, except per share amounts)',
      plainCells(
        table(`
      | Three months ended September 30 ×2
      | 2018 | 2017
      ---
      Revenue | $ 300.1 | $ 280.0
      Cost of sales | 200.0 | 190.0
      Income taxes | 1 | 1
      Net earnings | $ 30.5 | $ 25.0
      Earnings per share
      Basic | $ 0.31 | $ 0.25
      Diluted | $ 0.30 | $ 0.25
    `),
      ),
    ),
    expected: {
      periodEnd: '2018-09-30',
      epsDilutedGaap: '0.3',
      revenue: '300100000',
      unit: 'CAD/share',
    },
  },
  {
    name: 'periods such as Apr–Jun',
    document: htmlRelease(
      'Heron AB interim report',
      'Condensed income statement, SEK million',
      plainCells(
        table(`
      | Apr–Jun 2022 | Apr–Jun 2021 | Jan–Jun 2022 | Jan–Jun 2021
      ---
      Net sales | 6,200 | 5,500 | 12,000 | 10,900
      Cost of sales | (4,000) | (3,500) | (8,000) | (7,100)
      Income tax | (100) | (90) | (200) | (180)
      Net income | 460 | 390 | 900 | 800
      Earnings per share, basic, SEK | 1.39 | 1.17 | 2.70 | 2.40
      Earnings per share, diluted, SEK | 1.38 | 1.16 | 2.69 | 2.39
    `),
      ),
    ),
    expected: {
      periodEnd: '2022-06-30',
      epsDilutedGaap: '1.38',
      revenue: '6200000000',
      unit: 'SEK/share',
    },
  },
  {
    name: 'periods such as 1 April – 30 June',
    document: htmlRelease(
      'Heron Oyj half-year report',
      'Condensed consolidated income statement (EUR million)',
      plainCells(
        table(`
      | 1 April – 30 June 2022 | 1 April – 30 June 2021 | 1 January – 30 June 2022
      ---
      Revenue | 620.1 | 550.2 | 1,200.3
      Costs | (400.0) | (350.0) | (800.0)
      Income tax | (10.0) | (9.0) | (20.0)
      Profit for the period | 46.0 | 39.0 | 90.0
      Diluted earnings per share, EUR | 0.38 | 0.16 | 0.69
    `),
      ),
    ),
    expected: {
      periodEnd: '2022-06-30',
      epsDilutedGaap: '0.38',
      revenue: '620100000',
      unit: 'EUR/share',
    },
  },
  {
    name: 'yen with the older year first',
    document: htmlRelease(
      'Heron Motor',
      'Consolidated statements of income (Yen in millions, except per share)',
      plainCells(
        table(`
      | Three months ended June 30, ×2
      | 2021 | 2022
      ---
      Sales revenues | 7,935,000 | 8,491,116
      Costs | 1 | 1
      Income taxes | 1 | 1
      Net income | 897,000 | 736,820
      Earnings per share attributable to owners: Basic (Yen) | 64.23 | 53.65
      Earnings per share attributable to owners: Diluted (Yen) | 64.23 | 53.65
    `),
      ),
    ),
    expected: { periodEnd: '2022-06-30', epsDilutedGaap: '53.65', unit: 'JPY/share' },
  },
];
