import { expect, test } from 'vitest';
import { apiResponse, envelope } from '../../../test/support/providers/nasdaq-responses.ts';
import { earningsDate } from './earnings-date.ts';

const ANNOUNCEMENT = 'Earnings announcement* for MERD: Nov 24, 2026';
const EXPECTED =
  'Meridian Harbor is expected* to report earnings on  11/24/2026 after market close.';
const ESTIMATED =
  'Meridian Harbor is estimated to report earnings on  11/24/2026. The upcoming earnings date is ' +
  "derived from an algorithm based on a company's historical reporting dates.";

function parsePage(reportText: unknown, announcement: unknown = ANNOUNCEMENT) {
  const body = envelope({ heading: 'MERD Earnings Date', announcement, reportText });
  return earningsDate.parse(apiResponse('analyst/MERD/earnings-date', body));
}

test('reads an announced report with session and quarter as confirmed', () => {
  const text = `${EXPECTED}  The report will be for the fiscal Quarter ending Oct 2026.`;
  expect(parsePage(text)).toEqual({
    rows: [
      {
        dataset: 'earnings',
        entityKey: 'MERD',
        naturalKey: '2026-10',
        fields: {
          kind: 'calendar',
          symbol: 'MERD',
          date: '2026-11-24',
          time: 'time-after-hours',
          dateStatus: 'confirmed',
          fiscalPeriodEnd: '2026-10-31',
          fiscalPeriodPrecision: 'month',
        },
      },
    ],
    bad: [],
  });
});

test.each([
  ESTIMATED,
  ESTIMATED.replace('is estimated to', 'is expected to'),
  'Meridian Harbor is estimated to report earnings on 11/24/2026 after market close.',
])('never confirms a date from an algorithm, nor its session: %s', (text) => {
  expect(parsePage(text).rows[0]?.fields).toEqual({
    kind: 'calendar',
    symbol: 'MERD',
    date: '2026-11-24',
    time: 'time-not-supplied',
    dateStatus: 'projected',
  });
});

test('leaves the status open for words that name neither', () => {
  const fields = parsePage('Meridian Harbor might report earnings on 11/24/2026.').rows[0]?.fields;
  expect(Object.keys(fields ?? {})).not.toContain('dateStatus');
  expect(fields).toMatchObject({ date: '2026-11-24' });
});

test.each([
  ['is expected to report earnings on 11/24/2026 before market open.', 'time-pre-market'],
  ['is expected to report earnings on 11/24/2026.', 'time-not-supplied'],
])('reads the session of "%s" as %s', (text, time) => {
  expect(parsePage(text).rows[0]?.fields).toMatchObject({ time });
});

test('returns no row for a page without a date', () => {
  const none = "Our vendor hasn't provided us with the upcoming earnings report date.";
  expect(parsePage(none, 'Earnings announcement* for MERD: ')).toEqual({ rows: [], bad: [] });
});

test.each([
  [EXPECTED, ANNOUNCEMENT.replace('24', '25'), 'date-mismatch'],
  [EXPECTED, ANNOUNCEMENT.replace('MERD', 'TIDE'), 'symbol-mismatch'],
  [EXPECTED.replace('11/24', '13/24'), ANNOUNCEMENT, 'bad-date'],
  [5, ANNOUNCEMENT, 'wrong-type'],
])(
  'quarantines a page that contradicts itself or is unreadable: %s, %s',
  (text, headline, reason) => {
    expect(parsePage(text, headline)).toMatchObject({ rows: [], bad: [{ reason }] });
  },
);
