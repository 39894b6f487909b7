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
  field: text('Field, as in the rows of the data set.'),
  share: nullable(number('Share of the rows in which it is known, 0 to 1; null without rows.')),
});

const feedCoverage = named('FeedCoverage', {
  source: text('Name of the source.'),
  feed: text('Kind of answer of that source.'),
  lastSuccessAt: instant('When it last answered well.'),
  newestObservationAt: instant('When the newest of it was seen.'),
});

const datasetCoverage = named('DatasetCoverage', {
  dataset: text('Name of the data set.'),
  description: text('What it holds.'),
  rows: integer('Rows that stand; versions that stand no more are not counted.'),
  isEstimate: flag('Whether `rows` and `filled` come from a sample, because the table is large.'),
  symbols: nullable(integer('Symbols or companies with rows; null where rows are about none.')),
  firstDate: nullable(date('Day of the earliest row; null where rows have no day.')),
  lastDate: nullable(date('Day of the latest row.')),
  newestObservationAt: nullable(instant('When the newest of its facts was seen.')),
  lastChangeAt: nullable(instant('When a row last changed; null where changes are not recorded.')),
  lastSuccessAt: nullable(instant('When a source of it last answered well.')),
  ageSeconds: nullable(integer('Time since then.')),
  targetSeconds: nullable(integer('Age at which it is late; null when no source is asked.')),
  state: choice(
    FRESHNESS_STATES,
    'Within its target, past it, without any answer, or of a store that asks no source.',
  ),
  filled: list(fieldShare, 'How often fields are known.'),
  feeds: list(feedCoverage, 'Where it comes from.'),
});

const sourceCoverage = named('SourceCoverage', {
  name: text('Name of the source.'),
  title: text('Its name for people.'),
  homepage: nullable(text('Where it is found.')),
  redistribution: text(
    'Whether its data may be shown to others: `public-domain`, `allowed`, `with-contract`, ' +
      '`not-granted`, `synthetic` (made up), `operator` (as far as the operator has the right).',
  ),
  terms: text('Its terms in a sentence.'),
  isAsked: flag('Whether it is asked for news, or only was once.'),
  datasets: list(text('Name of a data set.'), 'What it has filled.'),
});

export const coverageBody = named('Coverage', {
  timestamp: instant('When this was counted.'),
  datasets: list(datasetCoverage, 'Every data set.'),
  sources: list(sourceCoverage, 'Every source that is asked or has given something.'),
});

export type CoverageBody = BodyOf<typeof coverageBody>;

/** A store of a made-up source, for the interface description. */
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
    },
  ],
  sources: [
    {
      name: 'sandbox',
      title: 'Sandbox: a simulated market of fictional companies',
      homepage: null,
      redistribution: 'synthetic',
      terms: 'Invented: no row is of a real company.',
      isAsked: true,
      datasets: ['earnings'],
    },
  ],
};
