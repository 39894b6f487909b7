import type { ChangeCursor, ChangeFilter } from '../../datasets/changes/load.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { parseInstant } from '../../platform/instant.ts';
import type { Parameter, Values } from '../endpoint.ts';
import { CHANGING_DATASETS, HIDDEN_FIELDS } from './change-row.ts';
import { FILTER_SYMBOLS_MAX } from './symbol-filter.ts';

/** Parameters that select changes, the same in every endpoint that returns them. */

const POSITION = /^chg_(\d{12})$/;

/** The position from which to read. Each endpoint says what its absence means. */
export const SINCE = {
  name: 'since',
  in: 'query',
  kind: 'id',
  required: false,
  pattern: /^chg_\d{12}$/,
  orInstant: true,
  isReadable: (text) => parsePosition(text) !== null,
  example: '2026-11-20T00:00:00Z',
  describe: 'The `id` of the last change you received, or an instant.',
} as const satisfies Parameter;

/** The filters. */
export const CHANGE_FILTERS: readonly Parameter[] = [
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
    max: FILTER_SYMBOLS_MAX,
    describe:
      'Returns only changes of these companies: ticker symbols, separated by commas. `@name` ' +
      'stands for a watchlist.',
  },
];

/** Parses a checked `since`; null if it is absent. */
export function cursorOf(values: Values): ChangeCursor | null {
  const since = values.choice('since');
  return since === null ? null : parsePosition(since);
}

export function changeFilterOf(values: Values, historyFrom: LocalDate | null): ChangeFilter {
  return {
    dataset: values.choice('dataset'),
    symbols: values.symbols('symbols'),
    hiddenFields: HIDDEN_FIELDS,
    historyFrom,
  };
}

/** Parses the id of a change or an instant; null for anything else. */
export function parsePosition(text: string): ChangeCursor | null {
  const id = POSITION.exec(text)?.[1];
  if (id !== undefined) return { afterId: Number(id) };
  // A client may send the `+` in an offset without encoding it, and it is then decoded as a space.
  const from = parseInstant(text.replace(' ', '+'));
  return from === null ? null : { from };
}
