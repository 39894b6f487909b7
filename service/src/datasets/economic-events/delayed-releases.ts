import type { LocalDate } from '../../domain/local-date.ts';

/**
 * Releases delayed by U.S. government shutdowns. Their dates do not imply their periods. October
 * 2025 prices and household data were never surveyed and have no release.
 */

/**
 * The estimate for a quarter. After a shutdown, a single `initial` estimate may replace the first
 * two.
 */
export type Vintage = 'advance' | 'second' | 'third' | 'initial';

export interface DelayedRelease {
  /** Null if the release covers several months, or if no source states the period. */
  period: string | null;
  /** Null if unknown, and for releases without estimates. */
  vintage: Vintage | null;
}

/** Groups of events, identified by their stems, that are published together. */
const RELEASES = {
  jobs: [
    'us-nonfarm-payrolls',
    'us-private-payrolls',
    'us-unemployment-rate',
    'us-hourly-earnings-mom',
    'us-hourly-earnings-yoy',
    'us-participation-rate',
  ],
  jolts: ['us-jolts-openings'],
  cpi: ['us-cpi-mom', 'us-cpi-yoy', 'us-core-cpi-mom', 'us-core-cpi-yoy'],
  ppi: ['us-ppi-mom', 'us-ppi-yoy', 'us-core-ppi-mom', 'us-core-ppi-yoy'],
  gdp: ['us-gdp-qoq', 'us-gdp-price-index-qoq', 'us-pce-prices-qoq', 'us-core-pce-prices-qoq'],
  income: ['us-personal-income-mom'],
  outlays: [
    'us-personal-spending-mom',
    'us-pce-mom',
    'us-pce-yoy',
    'us-core-pce-mom',
    'us-core-pce-yoy',
  ],
  retail: ['us-retail-sales-mom', 'us-retail-sales-yoy', 'us-core-retail-sales-mom'],
  durables: ['us-durable-goods-mom', 'us-core-durable-goods-mom'],
  factory: ['us-factory-orders-mom'],
  industry: ['us-industrial-production-mom', 'us-industrial-production-yoy'],
  trade: ['us-trade-balance'],
  starts: ['us-housing-starts', 'us-housing-starts-mom'],
  permits: ['us-building-permits', 'us-building-permits-mom'],
  newHomes: ['us-new-home-sales', 'us-new-home-sales-mom'],
} as const satisfies Record<string, readonly string[]>;

type Release = keyof typeof RELEASES;

/** Known release dates, grouped by source. */
const KNOWN_DATES: readonly [source: string, rows: readonly Row[]][] = [
  [
    'https://www.usatoday.com/story/money/business/2013/10/17/government-economic-reports-new-schedule/3003955/',
    [
      ['2013-10-22', 'jobs', '2013-09'],
      ['2013-10-29', 'ppi', '2013-09'],
      ['2013-10-30', 'cpi', '2013-09'],
      ['2013-11-08', 'jobs', '2013-10'],
    ],
  ],
  [
    'http://business-leads-1.blogspot.com/2013/10/bls-september-employment-report-to-be.html',
    [['2013-10-24', 'jolts', '2013-08']],
  ],
  [
    'http://www.washingtonpost.com/business/economy/key-economic-events-for-the-week-of-oct-28/2013/10/25/2247fa84-3da4-11e3-b6a9-da62c264f40e_story.html',
    [['2013-10-28', 'industry', '2013-09']],
  ],
  [
    'http://www.bloomberg.com/news/2013-11-07/u-s-third-quarter-advance-gross-domestic-product-text-.html',
    [
      ['2013-11-07', 'gdp', '2013-Q3', 'advance'],
      ['2013-12-05', 'gdp', '2013-Q3', 'second'],
    ],
  ],
  [
    'http://www.census.gov/newsroom/releases/archives/construction_industries/cb13-198.html',
    [
      ['2013-11-26', 'permits', null],
      ['2013-12-18', 'starts', null],
    ],
  ],
  [
    'https://www.fxstreet.com/analysis/re-scheduling-the-us-economic-calendar-after-the-government-shutdown-end-201901291407',
    [['2019-01-31', 'newHomes', '2018-11']],
  ],
  [
    'https://www.marketscreener.com/news/Trade-Deficit-Seen-Narrowing-in-November-Data-Week-Ahead-Update--27961256/',
    [['2019-02-06', 'trade', '2018-11']],
  ],
  [
    'https://www.calculatedriskblog.com/2019/02/bea-q4-gdp-to-be-released-feb-28th.html',
    [
      ['2019-02-14', 'retail', '2018-12'],
      ['2019-02-21', 'durables', '2018-12'],
      ['2019-02-26', 'starts', '2018-12'],
      ['2019-02-26', 'permits', '2018-12'],
      ['2019-03-05', 'newHomes', '2018-12'],
    ],
  ],
  [
    'https://www.bea.gov/news/blog/2019-02-06/new-dates-set-gdp-personal-income-and-international-trade',
    [
      ['2019-02-28', 'gdp', '2018-Q4', 'initial'],
      ['2019-03-01', 'outlays', '2018-12'],
      ['2019-03-01', 'income', null],
    ],
  ],
  [
    'https://www.bea.gov/news/blog/2019-02-28/new-date-set-january-consumer-spending',
    [
      ['2019-03-29', 'outlays', '2019-01'],
      ['2019-03-29', 'income', '2019-02'],
    ],
  ],
  [
    'https://www.bea.gov/news/blog/2019-04-02/national-statistics-return-normal-timetable-april',
    [
      ['2019-04-17', 'trade', '2019-02'],
      ['2019-04-29', 'outlays', null],
    ],
  ],
  [
    'https://www.bls.gov/bls/2025-lapse-revised-release-dates.htm',
    [['2025-11-20', 'jobs', '2025-09']],
  ],
  [
    'https://www.constructionowners.com/news/census-to-release-delayed-economic-reports',
    [
      ['2025-11-18', 'factory', '2025-08'],
      ['2025-11-19', 'trade', '2025-08'],
    ],
  ],
  [
    'https://www.xtb.com/en/market-analysis/economic-calendar-delayed-us-ppi-and-retail-sales-report-this-week',
    [
      ['2025-11-25', 'ppi', '2025-09'],
      ['2025-11-25', 'retail', '2025-09'],
    ],
  ],
  [
    'https://www.xtb.com/int/market-analysis/news-and-research/economic-calendar-jobless-claims-and-durable-goods',
    [['2025-11-26', 'durables', '2025-09']],
  ],
  [
    'https://carboot.cafe/uncategorized/economic-data-delays-persist-following-government-shutdown',
    [
      ['2025-12-03', 'industry', '2025-09'],
      ['2025-12-05', 'income', '2025-09'],
      ['2025-12-05', 'outlays', '2025-09'],
      ['2025-12-23', 'gdp', '2025-Q3', 'initial'],
      ['2025-12-23', 'industry', null],
    ],
  ],
  [
    'https://backendwcs.com/news/5737',
    [
      ['2026-01-22', 'income', null],
      ['2026-01-22', 'outlays', null],
    ],
  ],
  [
    'https://bea.gov/index.php?page=3',
    [
      ['2025-12-11', 'trade', '2025-09'],
      ['2026-02-20', 'gdp', '2025-Q4', 'advance'],
      ['2026-02-20', 'income', '2025-12'],
      ['2026-02-20', 'outlays', '2025-12'],
    ],
  ],
  [
    'https://www.kiplinger.com/investing/economy/this-weeks-economic-calendar',
    [['2025-12-16', 'retail', '2025-10']],
  ],
  ['https://ttm.financial/m/news/2601365532', [['2026-01-08', 'trade', '2025-10']]],
  [
    'https://www.binance.com/en-AE/square/post/34937037314218',
    [
      ['2026-01-14', 'ppi', '2025-11'],
      ['2026-01-14', 'retail', '2025-11'],
    ],
  ],
  [
    'https://kevinrothdc.com/2026/01/30/sitting-still-what-we-learned-during-the-week-of-january-26-30',
    [['2026-01-30', 'ppi', '2025-12']],
  ],
  [
    'https://fixedincome.fidelity.com/ftgw/fi/FINewsArticle?id=202601291431MIDNIGHTUSEQUITY_A3549533',
    [
      ['2026-01-29', 'trade', '2025-11'],
      ['2026-01-29', 'factory', '2025-11'],
    ],
  ],
  [
    'https://nationaltoday.com/us/ny/new-york/news/2026/02/10/retail-sales-unchanged-in-december',
    [['2026-02-10', 'retail', '2025-12']],
  ],
  [
    'https://www.marketscreener.com/news/rescheduled-housing-starts-and-new-home-sales-on-tap-data-week-ahead-ce7e5ddad18ff227',
    [
      ['2026-02-18', 'durables', '2025-12'],
      ['2026-02-18', 'starts', null],
      ['2026-02-18', 'permits', null],
      ['2026-02-19', 'trade', '2025-12'],
      ['2026-02-20', 'newHomes', null],
    ],
  ],
  [
    'https://www.raentrading.com/observations/next-week-outlook-positioning-for-catalysts-feb-20',
    [
      ['2026-02-23', 'factory', '2025-12'],
      ['2026-03-13', 'gdp', '2025-Q4', 'second'],
      ['2026-03-13', 'income', '2026-01'],
      ['2026-03-13', 'outlays', '2026-01'],
    ],
  ],
  [
    'https://www.wsbradio.com/news/business/retail-sales-fall/2P2ZIFSOZE2F5OKKD4L3PYIGWQ/',
    [['2026-03-06', 'retail', '2026-01']],
  ],
  [
    'https://www.census.gov/construction/nrc/pdf/newresconst.pdf',
    [
      ['2026-03-12', 'starts', '2026-01'],
      ['2026-03-12', 'permits', '2026-01'],
    ],
  ],
];

type Row = readonly [day: string, release: Release, period: string | null, vintage?: Vintage];

/**
 * Catch-up periods after shutdowns. A release date in such a period that is not listed above may be
 * for any month.
 */
const UNCERTAIN_PERIODS: readonly [from: string, to: string, releases: readonly Release[]][] = [
  ['2013-10-01', '2013-11-10', ['retail', 'factory']],
  ['2013-10-01', '2013-11-20', ['trade']],
  ['2013-10-01', '2013-11-30', ['jolts', 'permits']],
  ['2013-10-01', '2013-12-18', ['starts', 'newHomes']],
  ['2018-12-22', '2019-03-20', ['durables', 'newHomes']],
  ['2018-12-22', '2019-03-31', ['factory']],
  ['2018-12-22', '2019-04-10', ['retail', 'starts', 'permits']],
  ['2018-12-22', '2019-04-17', ['trade']],
  ['2025-11-13', '2025-12-31', ['industry']],
  ['2025-11-13', '2026-02-28', ['ppi']],
  ['2025-11-13', '2026-04-10', ['retail']],
  ['2025-11-13', '2026-04-29', ['gdp', 'income', 'outlays', 'durables', 'factory', 'trade']],
  ['2025-11-13', '2026-05-10', ['starts', 'permits', 'newHomes']],
];

const byStemAndDay = new Map(
  KNOWN_DATES.flatMap(([, rows]) =>
    rows.flatMap(([day, release, period, vintage = null]) =>
      RELEASES[release].map((stem): [string, DelayedRelease] => [
        `${stem}/${day}`,
        { period, vintage },
      ]),
    ),
  ),
);

/**
 * Returns the period of a delayed release on that day; null if the date implies the period, as it
 * nearly always does.
 */
export function delayedRelease(stem: string, day: LocalDate): DelayedRelease | null {
  const listed = byStemAndDay.get(`${stem}/${day}`);
  if (listed !== undefined) return listed;
  const isUncertain = UNCERTAIN_PERIODS.some(
    ([from, to, releases]) =>
      day >= from &&
      day <= to &&
      releases.some((release) => RELEASES[release].some((member) => member === stem)),
  );
  return isUncertain ? { period: null, vintage: null } : null;
}
