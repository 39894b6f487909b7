import { expect, test } from 'vitest';
import { createSourceResponse } from '../source-response.ts';
import type { BadRow } from '../provider.ts';
import { withCompleteRange } from './complete-range.ts';

const LIMIT = { dataset: 'earnings', rowsMax: 3 } as const;
const BAD: BadRow = {
  dataset: 'earnings',
  entityKey: null,
  reason: 'bad-date',
  detail: '',
  row: {},
};

function completeRangeOf(query: string, rows: number) {
  const response = createSourceResponse({
    url: `https://quay.example/calendar?${query}`,
    status: 200,
    contentType: '',
    text: '',
    observedAt: 0,
  });
  return withCompleteRange(
    { rows: [], bad: Array.from({ length: rows }, () => BAD) },
    response,
    LIMIT,
  ).completeRange;
}

test('treats a response to a date range request as complete for those dates', () => {
  const expected = { dataset: 'earnings', from: '2026-12-01', to: '2026-12-03' };
  expect(completeRangeOf('from=2026-12-01&to=2026-12-03', 2)).toEqual(expected);
  expect(completeRangeOf('from=2026-12-01&to=2026-12-03&symbol=', 2)).toEqual(expected);
});

test.each([
  ['the maximum number of rows', 'from=2026-12-01&to=2026-12-03', 3],
  ['a symbol', 'from=2026-12-01&to=2026-12-03&symbol=QUAY', 1],
  ['no dates', '', 1],
  ['unreadable dates', 'from=…&to=…', 1],
  ['dates in the wrong order', 'from=2026-12-03&to=2026-12-01', 1],
])('does not treat a response with %s as complete', (_, query, rows) => {
  expect(completeRangeOf(query, rows)).toBeUndefined();
});
