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
  {
    name: 'euros with a column of notes',
    document: htmlRelease(
      'Heron Music S.A.',
      'Interim condensed consolidated statement of operations (Unaudited) (in € millions, except share and per share data)',
      plainCells(
        table(`
      | Note | Three months ended September 30, ×2 | Nine months ended September 30, ×2
      |  | 2024 | 2023 | 2024 | 2023
      ---
      Revenue | 20 | 3,988 | 3,357 | 11,431 | 9,576
      Cost of revenue |  | 2,748 | 2,472 | 8,075 | 7,159
      Finance income | 4 | 66 | 55 | 201 | 115
      Income tax expense | 5 | 98 | 8 | 71 | 8
      Net income/(loss) attributable to owners of the parent |  | 300 | 65 | 771 | (462)
      Earnings/(loss) per share attributable to owners of the parent
      Basic | 6 | 1.49 | 0.33 | 3.86 | (2.38)
      Diluted | 6 | 1.45 | 0.33 | 3.74 | (2.38)
    `),
      ),
    ),
    expected: {
      periodEnd: '2024-09-30',
      epsDilutedGaap: '1.45',
      revenue: '3988000000',
      unit: 'EUR/share',
    },
  },
  {
    name: 'pence',
    document: htmlRelease(
      'Heron plc first quarter results',
      'Condensed consolidated income statement (£m)',
      plainCells(
        table(`
      | Three months ended 31 March 2023 | Three months ended 31 March 2022
      ---
      Turnover | 6,951 | 7,192
      Cost of sales | (1,900) | (2,100)
      Taxation | (300) | (250)
      Profit after taxation for the period | 1,600 | 1,800
      Earnings per share | 36.8p | 44.7p
      Diluted earnings per share | 36.3p | 44.2p
    `),
      ),
    ),
    expected: {
      periodEnd: '2023-03-31',
      epsDilutedGaap: '0.363',
      revenue: '6951000000',
      unit: 'GBP/share',
    },
  },
  {
    name: 'kroner with a period named by its first and last day',
    document: htmlRelease(
      'Heron A/S financial report',
      'Income statement (DKK million)',
      plainCells(
        table(`
      | Q1 2023 | Q1 2022 | % change
      ---
      Net sales | 53,367 | 42,031 | 27%
      Cost of goods sold | 8,000 | 7,000 |
      Income taxes | 4,900 | 3,600 |
      Net profit | 19,814 | 14,210 | 39%
      Basic earnings per share (DKK) | 8.80 | 6.24 | 41%
      Diluted earnings per share (DKK) | 8.78 | 6.22 | 41%
    `),
      ),
      'for the period 1 January 2023 to 31 March 2023',
    ),
    expected: { epsDilutedGaap: '8.78', revenue: '53367000000', unit: 'DKK/share' },
  },
  {
    name: 'a loss in yuan beside the preceding quarter',
    document: htmlRelease(
      'Heron Auto Inc. Reports Unaudited First Quarter 2023 Results',
      '(All amounts in thousands, except for share and per share data)',
      splitCells(
        table(`
      | Three Months Ended ×4
      | March 31, 2022 | December 31, 2022 | March 31, 2023 ×2
      | RMB | RMB | RMB | US$
      ---
      Revenues:
      Vehicle sales | 9,244,018 | 14,759,147 | 9,224,467 | 1,343,200
      Other sales | 666,559 | 1,304,494 | 1,452,009 | 211,430
      Total revenues | 9,910,577 | 16,063,641 | 10,676,476 | 1,554,630
      Cost of sales | (8,464,200) | (15,441,600) | (10,514,050) | (1,530,979)
      Net loss | (1,782,737) | (5,786,063) | (4,739,535) | (690,131)
      Net loss per share attributable to ordinary shareholders
      Basic and diluted | (1.12) | (3.55) | (2.91) | (0.42)
      Net loss per ADS attributable to ordinary shareholders
      Basic and diluted | (1.12) | (3.55) | (2.91) | (0.42)
    `),
      ),
    ),
    expected: {
      periodEnd: '2023-03-31',
      epsDilutedGaap: '-2.91',
      revenue: '10676476000',
      unit: 'CNY/ADS',
    },
  },
  {
    name: 'New Taiwan dollars with changes between',
    document: htmlRelease(
      'Heron Semiconductor Reports Second Quarter EPS of NT$7.01',
      '(In NT$ millions, except for per share amounts and otherwise stated)',
      plainCells(
        table(`
      | 2Q23 | 2Q22 | YoY Inc. (Dec.) % | 1Q23 | QoQ Inc. (Dec.) %
      ---
      Net Revenue | 480,841 | 534,141 | (10.0) | 508,633 | (5.5)
      Gross profit | 260,200 | 315,382 | (17.5) | 286,503 | (9.2)
      Income tax | 1 | 1 |  | 1 |
      Net income | 181,799 | 237,027 | (23.3) | 206,987 | (12.2)
      Diluted EPS (NT$) | 7.01 | 9.14 | (23.3) | 7.98 | (12.2)
    `),
      ),
      'for the quarter ended June 30, 2023',
    ),
    expected: {
      periodEnd: '2023-06-30',
      epsDilutedGaap: '7.01',
      revenue: '480841000000',
      unit: 'TWD/share',
    },
  },
];
