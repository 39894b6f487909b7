import { topics } from '../datasets/topics.gen.ts';
import { hasHiddenChanges, loadChanges } from '../datasets/changes/load.ts';
import type { Endpoint } from './endpoint.ts';
import { CHANGE_FILTERS, changeFilterOf, cursorOf, SINCE } from './rows/change-query.ts';
import { findResumePosition } from './rows/lost-position.ts';
import {
  type ChangeRow,
  changeRow,
  CHANGING_DATASETS,
  formatPosition,
  renderChange,
} from './rows/change-row.ts';
import { list } from './schema/fields.ts';
import { exampleCompany } from './rows/example-company.ts';

const LIMIT_MAX = 1_000;

/** Client cache lifetime for a full page, which never changes. */
const FULL_PAGE_SECONDS = 3_600;

export const endpoint: Endpoint = {
  name: 'changes',
  path: '/v1/changes',
  summary: 'List data changes',
  describe:
    'Every change of earnings reports, economic events, offerings, dividends and profiles, ' +
    'oldest first, with the values before and after. `since` is the `id` of the last change ' +
    'you received, or an instant, which is included. A page holds at most `limit` changes; ' +
    'if there are more, the header `Link` has the address of the next page. Continue from ' +
    'the last `id` to miss no change and receive none twice. An empty response means that ' +
    'nothing changed; repeat the request with the same `since`. If the history of the service ' +
    'no longer has that change, the response is the problem `position-lost`.',
  tag: 'data',
  parameters: [
    { ...SINCE, required: true },
    ...CHANGE_FILTERS,
    {
      name: 'limit',
      in: 'query',
      kind: 'integer',
      required: false,
      min: 1,
      max: LIMIT_MAX,
      default: LIMIT_MAX,
      describe: 'Maximum number of changes.',
    },
  ],
  positionParameter: 'since',
  response: list(changeRow, 'Changes, oldest first.'),
  example: [
    {
      id: 'chg_000000184467',
      at: '2026-11-12T21:40:03Z',
      observedAt: '2026-11-12T21:40:00Z',
      dataset: 'earnings',
      kind: 'changed',
      eventId: 'ern_dd0052738ac4fdfe07ec',
      symbol: exampleCompany.symbol,
      changedFields: ['date', 'dateStatus'],
      fields: {
        date: { from: '2026-11-19', to: '2026-11-20' },
        dateStatus: { from: 'projected', to: 'confirmed' },
      },
    } satisfies ChangeRow,
  ],
  datasets: CHANGING_DATASETS,
  historicalAccess: true,
  topics: () => [topics.changes.any],
  maxAgeSeconds: () => 0,
  async handle(values, { db, historyFrom = null }) {
    const position = cursorOf(values);
    if (position === null) throw new RangeError('since was not checked');
    const resumeAfter = await findResumePosition(db, position);
    if (resumeAfter !== null) return { kind: 'position-lost', resumeAfter };
    const limit = values.integer('limit') ?? LIMIT_MAX;
    const filter = changeFilterOf(values, historyFrom);
    // Loads one more row than the limit to determine whether there is a next page.
    const changes = await loadChanges(db, position, { ...filter, limit: limit + 1 });
    const page = changes.slice(0, limit);
    const last = page.at(-1);
    const next = last === undefined || changes.length <= limit ? null : formatPosition(last.id);
    const upToId = next === null ? null : (last?.id ?? null);
    return {
      kind: 'body',
      body: page.map(renderChange),
      historyLimited: await hasHiddenChanges(db, position, { ...filter, upToId }),
      asOf: last?.committedAt ?? null,
      next,
      ...(next === null ? {} : { maxAgeSeconds: FULL_PAGE_SECONDS }),
    };
  },
};
