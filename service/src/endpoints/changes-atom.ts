import { Type } from 'typebox';
import { topics } from '../datasets/topics.gen.ts';
import { hasHiddenChanges, loadNewestChanges } from '../datasets/changes/load.ts';
import { renderAtom, urnOf } from '../domain/atom.ts';
import type { Endpoint } from './endpoint.ts';
import { changeEntry } from './rows/change-entry.ts';
import { CHANGE_FILTERS, changeFilterOf } from './rows/change-query.ts';
import { CHANGING_DATASETS, renderChange } from './rows/change-row.ts';
import { exampleCompany } from './rows/example-company.ts';

const LIMIT = { default: 50, max: 200 };
const PATH = '/v1/changes.atom';

export const endpoint: Endpoint = {
  name: 'changes-atom',
  path: PATH,
  summary: 'Feed of data changes (Atom)',
  describe:
    'The newest changes of `/v1/changes`, newest first, as an Atom feed (RFC 4287) for feed ' +
    'readers. A title such as `NRTH moved its report from 2026-11-19 to 2026-11-20` describes each ' +
    'change, and the content has the values before and after. The id of an entry never changes. ' +
    'A reader that polls less often than the feed turns over misses changes, unlike a client of ' +
    '`/v1/changes`.',
  tag: 'data',
  parameters: [
    ...CHANGE_FILTERS,
    {
      name: 'limit',
      in: 'query',
      kind: 'integer',
      required: false,
      min: 1,
      max: LIMIT.max,
      default: LIMIT.default,
      describe: 'Maximum number of entries.',
    },
  ],
  mediaType: 'application/atom+xml',
  response: Type.String({ description: 'An Atom feed with one entry per change.' }),
  example: [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    '<id>urn:uuid:0f3c9d0e-6d37-5a3b-9c1e-0d5f6a7b8c9d</id>',
    `<title>Changes: ${exampleCompany.symbol}</title>`,
    '<updated>2026-11-12T21:40:03Z</updated>',
    '<author><name>Afterbell</name></author>',
    `<link rel="self" type="application/atom+xml" href="${PATH}?symbols=${exampleCompany.symbol}"/>`,
    '<entry>',
    '<id>urn:uuid:7d0f3a52-1c4b-5e8d-a6f9-2b3c4d5e6f70</id>',
    `<title>${exampleCompany.symbol} moved its report from 2026-11-19 to 2026-11-20</title>`,
    '<updated>2026-11-12T21:40:03Z</updated>',
    '<content type="html">&lt;p&gt;date: 2026-11-19 → 2026-11-20&lt;/p&gt;</content>',
    '</entry>',
    '</feed>',
    '',
  ].join('\n'),
  datasets: CHANGING_DATASETS,
  historicalAccess: true,
  topics: () => [topics.changes.any],
  maxAgeSeconds: () => 60,
  async handle(values, { db, historyFrom = null, baseUrl = '', location = PATH }) {
    const filter = changeFilterOf(values, historyFrom);
    const limit = values.integer('limit') ?? LIMIT.default;
    const changes = await loadNewestChanges(db, { ...filter, limit });
    const body = renderAtom({
      // The address without the key: another service or filter is another feed.
      id: urnOf('feed', baseUrl, location),
      title: titleOf(values.choice('dataset'), location),
      author: 'Afterbell',
      selfUrl: `${baseUrl}${location}`,
      entries: changes.map((change) =>
        changeEntry(renderChange(change), change.committedAt, baseUrl),
      ),
    });
    const oldest = changes.length < limit ? undefined : changes.at(-1);
    return {
      kind: 'text',
      body,
      asOf: changes[0]?.committedAt ?? null,
      historyLimited: await hasHiddenChanges(
        db,
        { afterId: oldest?.id ?? 0 },
        { ...filter, upToId: null },
      ),
    };
  },
};

/** Names the filters as the address has them, so a watchlist is named and not listed. */
function titleOf(dataset: string | null, location: string): string {
  const symbols = new URLSearchParams(location.split('?')[1]).get('symbols');
  const filters = [symbols?.replaceAll(',', ', '), dataset].filter(
    (text) => typeof text === 'string',
  );
  return filters.length === 0 ? 'Changes' : `Changes: ${filters.join(', ')}`;
}
