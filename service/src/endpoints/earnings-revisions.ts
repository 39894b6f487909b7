import { topics } from '../datasets/topics.gen.ts';
import { changedFields } from '../datasets/earnings/changes.ts';
import type { EarningsEvent } from '../datasets/earnings/row.ts';
import { earningsVersions } from '../datasets/earnings/store.ts';
import type { VersionPeriod } from '../datasets/versions/versioned-table.ts';
import { formatInstant } from '../platform/instant.ts';
import type { Endpoint } from './endpoint.ts';
import { renderCompanyEarnings, companyFields } from './rows/company-earnings-row.ts';
import { estimatesExample, reportedExample } from './rows/earnings-examples.ts';
import { earningsFields, maybe } from './rows/earnings-row.ts';
import { type BodyOf, instant, list, named, nullable, text } from './schema/fields.ts';

const { marketCap: _price, provenance: _sources, ...versionedFields } = earningsFields;

const earningsRevision = named('EarningsRevision', {
  knownFrom: instant('Time of storage. Responses use this version from then on.'),
  knownTo: nullable(
    instant(
      'Time at which the next version replaced it or it was removed; null for the current version.',
    ),
  ),
  changedFields: list(
    text('Field of `row`.'),
    'Fields that differ from the previous version; all known fields in the first version. Empty ' +
      'if only the source, its observation time, or means and revisions of `estimates` changed.',
  ),
  row: named('RevisedEarnings', { ...versionedFields, ...companyFields }),
});

type EarningsRevision = BodyOf<typeof earningsRevision>;

/** Stored fields that are never returned to clients. */
const HIDDEN: ReadonlySet<string> = new Set(['securityId', 'markerAhead', 'isEpsComparable']);

export const endpoint: Endpoint = {
  name: 'earnings-revisions',
  path: '/v1/earnings/{id}/revisions',
  summary: 'List the revisions of an earnings report',
  describe:
    'Every version of one report, newest first: how its date moved, how the estimate ' +
    'developed, when the results arrived and what was corrected. `id` is that of a row in ' +
    'any list of reports. If no source reports it any longer, its last version has `knownTo` ' +
    'set.',
  tag: 'earnings',
  parameters: [
    {
      name: 'id',
      in: 'path',
      kind: 'id',
      required: true,
      pattern: /^ern_[0-9a-f]{20}$/,
      example: 'ern_ba5d7fe5be3fc4bca891',
      describe: 'Id of the report, `ern_…`.',
    },
  ],
  response: list(earningsRevision, 'Versions, newest first.'),
  example: example(),
  // Excludes `knownTo`, which is null for the newest version but is set when a newer one appears.
  rowKey: ['knownFrom', 'changedFields', 'row'],
  datasets: ['earnings'],
  historicalAccess: true,
  topics: (values) => [topics.earnings.event(values.id('id'))],
  maxAgeSeconds: () => 300,
  async handle(values, { db, historyFrom = null }) {
    const versions = await earningsVersions.history(db, values.id('id'));
    const newest = versions.at(-1);
    if (newest === undefined) return { kind: 'not-found', detail: 'No report has this id.' };
    const asOf = newest.version.updatedAt;
    if (historyFrom !== null && newest.version.date < historyFrom) {
      return { kind: 'body', body: [], asOf, historyLimited: true };
    }
    const body = versions.map((period, i) => render(period, versions[i - 1]?.version ?? null));
    return { kind: 'body', body: body.reverse(), asOf, historyLimited: false };
  },
};

function render(
  { version, knownFrom, knownTo }: VersionPeriod<EarningsEvent>,
  previous: EarningsEvent | null,
): EarningsRevision {
  const { marketCap: _unversioned, ...row } = renderCompanyEarnings(version, null);
  return {
    knownFrom: formatInstant(knownFrom),
    knownTo: maybe(knownTo, formatInstant),
    changedFields: changedFields(previous, version).filter((field) => !HIDDEN.has(field)),
    row,
  };
}

function example(): EarningsRevision[] {
  const { marketCap: _unversioned, ...row } = reportedExample;
  return [
    {
      knownFrom: '2026-08-19T11:01:04Z',
      knownTo: null,
      changedFields: [
        'eps',
        'revenue',
        'dateStatus',
        'reportedAt',
        'estimateAsOf',
        'revenueEstimateAsOf',
      ],
      row: {
        ...row,
        epsSurprise: 0.05,
        epsSurprisePercent: 3.8168,
        revenueSurprise: 11500000,
        revenueSurprisePercent: 1.4557,
        epsOutcome: 'beat',
        revenueOutcome: 'beat',
        estimateAsOf: '2026-08-19T00:10:00Z',
        revenueEstimateAsOf: '2026-08-19T00:10:00Z',
        ...estimatesExample,
        splitFactor: 1,
        sourceUrl: null,
      },
    },
  ];
}
