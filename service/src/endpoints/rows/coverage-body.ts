import { FILED_FIGURE_NAMES } from '../../datasets/earnings/confirmation.ts';
import { FRESHNESS_STATES } from '../../datasets/freshness/freshness.ts';
import {
  type BodyOf,
  choice,
  date,
  flag,
  instant,
  integer,
  list,
  named,
  nullable,
  number,
  text,
} from '../schema/fields.ts';

const fieldShare = named('FieldShare', {
  field: text('Field name, as in the rows of the data set.'),
  share: nullable(number('Share of rows with a value, 0 to 1; null without rows.')),
});

const feedCoverage = named('FeedCoverage', {
  source: text('Name of the source.'),
  feed: text('Feed of that source.'),
  lastSuccessAt: instant('Time of the last successful fetch.'),
  newestObservationAt: instant('Time of the newest observation.'),
});

const withheldRows = named('WithheldRows', {
  source: text('Name of the source.'),
  feed: nullable(text('Feed of that source; null for quarantined rows.')),
  reason: text(
    'Why the rows are not served. Price lists without a date: `stale-night` (the list shows an ' +
      'earlier session), `not-the-close` (captured before the close), `stale-row` (a single row ' +
      'repeats an earlier session). Otherwise the reason of the quarantine.',
  ),
  rows: integer('Rows not served as they arrived.'),
  servedRows: integer('The part of `rows` that is served under the earlier session it shows.'),
  firstDate: nullable(date('First evening of these lists; null for quarantined rows.')),
  lastDate: nullable(date('Last evening of these lists.')),
});

const datasetCoverage = named('DatasetCoverage', {
  dataset: text('Name of the data set.'),
  description: text('Contents of the data set.'),
  rows: integer('Current rows; earlier versions are not counted.'),
  isEstimate: flag('True if `rows` and `filled` come from a sample, because the table is large.'),
  symbols: nullable(
    integer('Symbols or companies with rows; null for data sets without companies.'),
  ),
  firstDate: nullable(date('Date of the earliest row; null if rows have no date.')),
  lastDate: nullable(date('Date of the latest row.')),
  newestObservationAt: nullable(instant('Time of the newest observation.')),
  lastChangeAt: nullable(
    instant('Time of the last change of a row; null if changes are not recorded.'),
  ),
  lastSuccessAt: nullable(instant('Time of the last successful fetch.')),
  ageSeconds: nullable(integer('Seconds since then.')),
  targetSeconds: nullable(
    integer('Age at which the data set is late; null without active sources.'),
  ),
  state: choice(
    FRESHNESS_STATES,
    '`fresh`: within its target age. `late`: past it. `empty`: no data yet. `idle`: fetched ' +
      'earlier, but from no active source. `replayed`: filled from recordings.',
  ),
  filled: list(fieldShare, 'Share of rows with a value, by field.'),
  feeds: list(feedCoverage, 'Feeds that provide it.'),
  withheld: list(withheldRows, 'Rows that are not served, by source and reason.'),
});

const sourceCoverage = named('SourceCoverage', {
  name: text('Name of the source.'),
  title: text('Display name of the source.'),
  homepage: nullable(text('Website of the source.')),
  redistribution: text(
    'Permission to redistribute its data: `public-domain`, `allowed`, `with-contract`, ' +
      '`not-granted`, `synthetic` (fictional data), `operator` (as far as the operator has the ' +
      'right).',
  ),
  terms: text('Summary of its terms.'),
  isAsked: flag('True if the source is active, false if it only was in the past.'),
  datasets: list(text('Name of a data set.'), 'Data sets it has provided data for.'),
});

const statedFigures = named('StatedFigures', {
  figure: choice(FILED_FIGURE_NAMES, 'Diluted GAAP EPS, or revenue.'),
  confirmed: integer('Figures that equal the filed one, on the precision of the coarser one.'),
  contradicted: integer('Figures that differ from the filed one.'),
  notFiled: integer('Figures that no quarterly or annual report with XBRL contains yet.'),
  confirmedShare: nullable(
    number('`confirmed` as a share of `confirmed` and `contradicted`, 0 to 1; null if both are 0.'),
  ),
});

export const coverageBody = named('Coverage', {
  timestamp: instant('Time of the count.'),
  datasets: list(datasetCoverage, 'Every data set.'),
  sources: list(sourceCoverage, 'Every source that is active or has provided data.'),
  statedFigures: list(
    statedFigures,
    'Served figures of press releases, compared with those that the companies filed later, for ' +
      'quarters that ended in the last 460 days.',
  ),
});

export type CoverageBody = BodyOf<typeof coverageBody>;

/** Coverage of a store that uses the sandbox source, for the API description. */
export const coverageExample: CoverageBody = {
  timestamp: '2026-11-20T15:30:00Z',
  datasets: [
    {
      dataset: 'earnings',
      description: 'Earnings reports: schedule, estimates, results.',
      rows: 412000,
      isEstimate: true,
      symbols: 6120,
      firstDate: '2009-01-06',
      lastDate: '2027-11-18',
      newestObservationAt: '2026-11-20T15:00:02Z',
      lastChangeAt: '2026-11-20T15:00:03Z',
      lastSuccessAt: '2026-11-20T15:00:03Z',
      ageSeconds: 1797,
      targetSeconds: 108000,
      state: 'fresh',
      filled: [{ field: 'epsEstimate', share: 0.8241 }],
      feeds: [
        {
          source: 'sandbox',
          feed: 'calendar-earnings',
          lastSuccessAt: '2026-11-20T15:00:03Z',
          newestObservationAt: '2026-11-20T15:00:02Z',
        },
      ],
      withheld: [
        {
          source: 'sandbox',
          feed: null,
          reason: 'unknown-symbol',
          rows: 12,
          servedRows: 0,
          firstDate: null,
          lastDate: null,
        },
      ],
    },
  ],
  sources: [
    {
      name: 'sandbox',
      title: 'Sandbox: a simulated market of fictional companies',
      homepage: null,
      redistribution: 'synthetic',
      terms: 'Fictional: no row describes a real company.',
      isAsked: true,
      datasets: ['earnings'],
    },
  ],
  statedFigures: [
    {
      figure: 'epsGaap',
      confirmed: 1288,
      contradicted: 12,
      notFiled: 340,
      confirmedShare: 0.9908,
    },
    {
      figure: 'revenue',
      confirmed: 1190,
      contradicted: 10,
      notFiled: 351,
      confirmedShare: 0.9917,
    },
  ],
};
