import { type ChangeCursor, hasHiddenChanges, loadChanges } from '../datasets/changes/load.ts';
import { CHANGES_TOPIC } from '../datasets/dataset.ts';
import { parseInstant } from '../platform/instant.ts';
import type { Endpoint } from './endpoint.ts';
import {
  type ChangeRow,
  changeRow,
  CHANGING_DATASETS,
  HIDDEN_FIELDS,
  formatPosition,
  renderChange,
} from './rows/change-row.ts';
import { list } from './schema/fields.ts';
import { exampleCompany } from './rows/example-company.ts';

const LIMIT_MAX = 1_000;
const SYMBOLS_MAX = 500;

/** Client cache lifetime for a full page, which never changes. */
const FULL_PAGE_SECONDS = 3_600;

const POSITION = /^chg_(\d{12})$/;

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
    'nothing changed; repeat the request with the same `since`.',
  tag: 'data',
  parameters: [
    {
      name: 'since',
      in: 'query',
      kind: 'id',
      required: true,
      pattern: /^(?:chg_\d{12}|\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+ -]\d{2}:\d{2}))$/,
      example: '2026-11-20T00:00:00Z',
      describe: 'The `id` of the last change you received, or an instant.',
    },
    {
      name: 'dataset',
      in: 'query',
      kind: 'enum',
      required: false,
      values: CHANGING_DATASETS,
      describe: 'Returns only changes of this data set.',
    },
    {
      name: 'symbols',
      in: 'query',
      kind: 'symbols',
      required: false,
      max: SYMBOLS_MAX,
      describe:
        'Returns only changes of these companies: ticker symbols, separated by commas. `@name` ' +
        'stands for a watchlist.',
    },
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
  check(values) {
    if (parsePosition(values.id('since')) !== null) return null;
    const detail = 'The parameter since is neither the id of a change nor an instant.';
    return { code: 'invalid-parameter', parameter: 'since', detail };
  },
  topics: () => [CHANGES_TOPIC],
  maxAgeSeconds: () => 0,
  async handle(values, { db, historyFrom = null }) {
    const position = parsePosition(values.id('since'));
    if (position === null) throw new RangeError('since was not checked');
    const limit = values.integer('limit') ?? LIMIT_MAX;
    const filter = {
      dataset: values.choice('dataset'),
      symbols: values.symbols('symbols'),
      hiddenFields: HIDDEN_FIELDS,
      historyFrom,
    };
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

function parsePosition(text: string): ChangeCursor | null {
  const id = POSITION.exec(text)?.[1];
  if (id !== undefined) return { afterId: Number(id) };
  // A client may send the `+` in an offset without encoding it, and it is then decoded as a space.
  const from = parseInstant(text.replace(' ', '+'));
  return from === null ? null : { from };
}
