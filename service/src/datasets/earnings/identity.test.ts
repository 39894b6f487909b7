import { describe, expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import { changedFields } from './changes.ts';
import type { CalendarObservation } from './observation.ts';
import {
  derive,
  filed,
  filing,
  quarantineReasons,
  nasdaq,
  onlyEvent,
  row,
  history,
  undated,
} from '../../../test/support/earnings-histories.ts';

const AHEAD = '2026-02-01T12:00:00Z';
const LATER = '2026-02-05T12:00:00Z';

function quarter(label: string, date: string, at = AHEAD) {
  const [year = '', month = ''] = label.split('-');
  const end = localDate(
    new Date(Date.UTC(Number(year), Number(month), 0)).toISOString().slice(0, 10),
  );
  return history('nasdaq/calendar-earnings', label, [[at, row(date, { fiscalPeriodEnd: end })]]);
}

describe('one quarter is one event', () => {
  test('keeps the id of a rescheduled report and changes only the date', () => {
    const before = onlyEvent(derive([nasdaq([AHEAD, row('2026-02-10')])]));
    const after = onlyEvent(
      derive([nasdaq([AHEAD, row('2026-02-10')], [LATER, row('2026-02-17')])]),
    );
    expect(after.id).toBe(before.id);
    expect(changedFields(before, after)).toEqual(['date']);
  });

  test("shows the company's name instead of its security's name", () => {
    const name = 'Northgate Instruments Inc. Class A Common Stock';
    const named = nasdaq(['2026-02-01T12:00:00Z', row('2026-02-10', { name })]);
    expect(onlyEvent(derive([named])).name).toBe('Northgate Instruments Inc.');
    const listed = derive([nasdaq(['2026-02-01T12:00:00Z', row('2026-02-10')])], {
      securityName: name,
    });
    expect(onlyEvent(listed).name).toBe('Northgate Instruments Inc.');
  });

  test('assigns calendars that use the month before a January year end to the same quarter', () => {
    const { events, quarantined } = derive(
      [quarter('2025-12', '2026-02-25'), filed('2026-01-25')],
      {
        yearEnd: '01-25',
      },
    );
    expect(quarantined.size).toBe(0);
    expect(events).toEqual([
      expect.objectContaining({
        date: '2026-02-25',
        revenue: '1000000',
        fiscalPeriodEnd: '2026-01-25',
        fiscalYear: 2026,
        fiscalQuarter: 4,
      }),
    ]);
  });

  test('keeps the fiscal labels of a company that labels its fiscal years by the year in which they begin', () => {
    const files = { fiscalYear: 2025, fiscalQuarter: 4 };
    const { events } = derive(
      [
        quarter('2026-01', '2026-02-25'),
        filed('2026-01-31', files),
        quarter('2026-04', '2026-05-20'),
      ],
      { yearEnd: '01-31' },
    );
    expect(events.map(({ fiscalYear, fiscalQuarter }) => [fiscalYear, fiscalQuarter])).toEqual([
      [2025, 4],
      [2026, 1],
    ]);
  });

  test.each([
    ['labels a quarter that ends on 3 January as December', '2026-01-03', '12-31', 2025, 4],
    ['labels twelve weeks to 11 May as May', '2025-05-11', '08-31', 2025, 3],
    [
      'labels sixteen weeks to 24 May as April for a January year end',
      '2025-05-24',
      '01-31',
      2026,
      1,
    ],
    [
      'labels twelve weeks to 6 September as September for a December year end',
      '2025-09-06',
      '12-27',
      2025,
      3,
    ],
  ])('%s', (_, end, yearEnd, fiscalYear, fiscalQuarter) => {
    const accepted = new Date(Date.parse(end) + 30 * 86_400_000).toISOString();
    const event = onlyEvent(derive([filed(end), filing(accepted)], { yearEnd }));
    expect(event).toMatchObject({ fiscalYear, fiscalQuarter, fiscalPeriodEnd: end });
  });
});

describe('a row without a period', () => {
  const march = quarter('2025-12', '2026-02-10');

  test('adds a row without a period to the report with the nearest date, and updates that date if the row is newer', () => {
    const loose = history('nasdaq/calendar-earnings', 'date:2026-02-12', [
      [LATER, undated('2026-02-12', { eps: '1.3' })],
    ]);
    expect(onlyEvent(derive([march, loose]))).toMatchObject({ date: '2026-02-12', eps: '1.3' });
  });

  test('quarantines a row without a period if it is equally near to two reports', () => {
    const next = quarter('2026-03', '2026-04-11');
    const loose = history('files/earnings', 'date:2026-03-12', [[AHEAD, undated('2026-03-12')]]);
    const result = derive([march, next, loose]);
    expect(result.events.map(({ date }) => date)).toEqual(['2026-02-10', '2026-04-11']);
    expect(quarantineReasons(result)).toEqual(['ambiguous-period']);
  });

  test('adds a row without a period to the earlier of two equally near reports once an operator accepts it', () => {
    const next = quarter('2026-03', '2026-04-11');
    const rows = undated('2026-03-12', { eps: '1.3' });
    const loose = history('files/earnings', 'date:2026-03-12', [[AHEAD, rows]]);
    const accepted = loose.observations.map((observation) => ({
      ...observation,
      isAccepted: true,
    }));
    const result = derive([march, next, { ...loose, observations: accepted }]);
    expect(result.events.map(({ eps }) => eps)).toEqual(['1.3', null]);
    expect(quarantineReasons(result)).toEqual([]);
  });

  test('adds a row without a period to a report 45 days away, but not to one 46 days away', () => {
    const at = (date: string) =>
      derive([march, history('files/earnings', `date:${date}`, [[AHEAD, undated(date)]])]).events;
    expect(at('2026-03-27').map(({ date }) => date)).toEqual(['2026-03-27']);
    expect(at('2026-04-10').map(({ date }) => date)).toEqual(['2026-02-10', '2026-04-10']);
  });

  describe('far from another row of the same inferred quarter', () => {
    const rows = (date: string, fields: Partial<CalendarObservation> = {}) => {
      const { fiscalYear: year, fiscalQuarter } = fields;
      const key = year === undefined ? `date:${date}` : `${year}Q${fiscalQuarter}`;
      return history('finnhub/calendar-earnings', key, [[AHEAD, undated(date, fields)]]);
    };
    const april = rows('2025-04-10', { fiscalYear: 2025, fiscalQuarter: 4 });
    const june = rows('2025-06-20', { fiscalYear: 2026, fiscalQuarter: 1 });
    const datesOf = (histories: Parameters<typeof derive>[0]) =>
      derive(histories).events.map(({ date }) => date);

    test('creates two reports from distant rows for the same inferred quarter, regardless of arrival order', () => {
      const result = derive([april, june]);
      expect(result.quarantined.size).toBe(0);
      expect(
        result.events.map(({ date, fiscalYear, fiscalQuarter }) => [
          date,
          fiscalYear,
          fiscalQuarter,
        ]),
      ).toEqual([
        ['2025-04-10', 2025, 4],
        ['2025-06-20', 2026, 1],
      ]);
      expect(derive([june, april])).toEqual(result);
    });

    test('creates two reports from distant rows even if no source states a quarter', () => {
      const dates = ['2025-04-10', '2025-06-20'];
      expect(datesOf(dates.map((date) => rows(date)))).toEqual(dates);
    });

    test('creates separate reports from distant rows, and does not change them when later rows arrive', () => {
      const dates = ['2025-01-09', '2025-04-10', '2025-06-20', '2025-09-25', '2025-12-18'];
      const later = ['2026-04-09', '2026-06-18'];
      const before = derive(dates.map((date) => rows(date))).events;
      const after = derive([...dates, ...later].map((date) => rows(date))).events;
      expect(before.map(({ date }) => date)).toEqual(dates);
      expect(after.map(({ date }) => date)).toEqual([...dates, ...later]);
      expect(after.slice(0, dates.length)).toEqual(before);
      expect(new Set(after.map(({ id }) => id)).size).toBe(after.length);
    });

    test.each([
      ['the same fiscal quarter', { fiscalYear: 2025, fiscalQuarter: 4 }],
      ['a projected day', { dateStatus: 'projected' } as const],
    ])('quarantines a distant row for the same inferred quarter if it has %s', (_, fields) => {
      const other = history('yahoo/quote', 'date:2025-06-20', [
        [AHEAD, undated('2025-06-20', fields)],
      ]);
      const result = derive([april, other]);
      expect(onlyEvent(result).date).toBe('2025-04-10');
      expect(quarantineReasons(result)).toEqual(['ambiguous-period']);
    });

    test('quarantines a distant row if the next quarter has a report on another day', () => {
      const result = derive([april, june, quarter('2025-06', '2025-08-20')]);
      expect(result.events.map(({ date }) => date)).toEqual(['2025-04-10', '2025-08-20']);
      expect(quarantineReasons(result)).toEqual(['ambiguous-period']);
    });
  });

  test('assigns a row without a period to the quarter that ended before its date if it is the only row', () => {
    const loose = history('files/earnings', 'date:2026-02-12', [[AHEAD, undated('2026-02-12')]]);
    const other = onlyEvent(derive([nasdaq([AHEAD, row('2026-02-10')])]));
    expect(onlyEvent(derive([loose])).id).toBe(other.id);
  });
});

describe('a filing of results', () => {
  test.each([
    ['two days before', '2026-02-08T21:30:00Z', 0],
    ['two days after', '2026-02-12T21:30:00Z', 0],
    ['three days after', '2026-02-13T21:30:00Z', 1],
    ['weeks before', '2026-01-12T13:00:00Z', 1],
  ])(
    'for a filing accepted %s the scheduled day, the number of quarantined filings is %3$i',
    (_, acceptedAt, heldCount) => {
      const result = derive([nasdaq([AHEAD, row('2026-02-10')]), filing(acceptedAt)]);
      expect(quarantineReasons(result)).toEqual(Array(heldCount).fill('other-results-filing'));
      expect(onlyEvent(result).dateStatus).toBe(heldCount === 0 ? 'reported' : 'projected');
    },
  );

  test('matches the filing on the scheduled day, and quarantines one from the previous day as a pre-announcement', () => {
    const result = derive([
      nasdaq([AHEAD, row('2026-02-10', { time: 'time-after-hours' })]),
      filing('2026-02-09T13:00:00Z'),
      filing('2026-02-10T21:05:00Z'),
    ]);
    expect(onlyEvent(result).reportedAt).toBe(Date.parse('2026-02-10T21:05:00Z'));
    expect(quarantineReasons(result)).toEqual(['other-results-filing']);
  });

  test('chooses the filing with the usual lag when a quarter without a calendar has two filings', () => {
    const result = derive(
      [
        filing('2025-10-30T20:05:00Z'),
        filing('2026-01-09T13:00:00Z'),
        filing('2026-01-29T21:05:00Z'),
        filing('2025-07-31T20:05:00Z'),
      ],
      { yearEnd: '12-31' },
    );
    expect(result.events.map(({ date }) => date)).toEqual([
      '2025-07-31',
      '2025-10-30',
      '2026-01-29',
    ]);
    expect(quarantineReasons(result)).toEqual(['other-results-filing']);
  });

  test("matches a filing by the company's usual lag at that time, not by today's", () => {
    const early = [2004, 2005, 2006].flatMap((year) => [
      filing(`${year}-04-18T20:30:00Z`),
      filing(`${year}-10-18T20:30:00Z`),
    ]);
    const late = [2012, 2013, 2014, 2015, 2016, 2017, 2018].flatMap((year) => [
      filing(`${year}-05-04T20:30:00Z`),
      filing(`${year}-11-04T21:30:00Z`),
    ]);
    const two = [filing('2005-07-18T20:30:00Z'), filing('2005-08-04T20:30:00Z')];
    const { events } = derive([...early, ...late, ...two], { yearEnd: '12-31' });
    expect(
      events.filter(({ fiscalYear, fiscalQuarter }) => fiscalYear === 2005 && fiscalQuarter === 2),
    ).toEqual([expect.objectContaining({ date: '2005-07-18' })]);
  });

  test('uses a separate usual lag for the fourth quarter, and ignores follow-up filings', () => {
    const years = [2023, 2024].flatMap((year) => [
      filing(`${year}-04-18T20:30:00Z`),
      filing(`${year}-07-18T20:30:00Z`),
      filing(`${year}-10-18T20:30:00Z`),
      filing(`${year}-02-12T21:30:00Z`),
    ]);
    const last = ['2025-01-06', '2025-02-11', '2025-02-12'].map((day) =>
      filing(`${day}T21:30:00Z`),
    );
    const result = derive([...years, ...last], { yearEnd: '12-31' });
    expect(result.events.at(-1)?.date).toBe('2025-02-11');
    expect(result.quarantined.size).toBe(2);
  });

  test('does not treat a pre-announcement days after the quarter as the report, even without a usual lag', () => {
    const result = derive([filing('2026-01-06T13:00:00Z'), filing('2026-02-04T21:05:00Z')], {
      yearEnd: '12-31',
    });
    expect(onlyEvent(result).date).toBe('2026-02-04');
  });

  test('quarantines a filing if its quarter is scheduled for a distant day', () => {
    const result = derive([quarter('2026-03', '2026-04-20'), filing('2026-04-02T13:00:00Z')]);
    expect(quarantineReasons(result)).toEqual(['other-results-filing']);
  });

  test.each([
    [
      'treats it as the report if it has the usual lag',
      '2026-02-04T21:05:00Z',
      '2026-02-04',
      'reported',
    ],
    [
      'does not treat it as the report only days after the quarter',
      '2026-01-06T13:00:00Z',
      '2026-02-20',
      'projected',
    ],
  ])('for a filing weeks from the projected day, %s', (_, acceptedAt, date, dateStatus) => {
    const projection = row('2026-02-20', { dateStatus: 'projected' });
    const ahead = history('alphavantage/earnings-calendar', '2025-12', [[AHEAD, projection]]);
    expect(onlyEvent(derive([ahead, filing(acceptedAt)]))).toMatchObject({ date, dateStatus });
  });

  test('keeps the later of two quarters with the same label and quarantines the other', () => {
    const result = derive(
      [filed('2025-12-27'), filed('2025-12-31'), filing('2026-02-10T21:05:00Z')],
      { yearEnd: '12-31' },
    );
    expect(onlyEvent(result).fiscalPeriodEnd).toBe('2025-12-31');
    expect(quarantineReasons(result)).toEqual(['period-collision']);
  });
});

describe('a report that was first seen under a new symbol', () => {
  const until = Date.parse('2026-02-03T00:00:00Z');
  const earlierIds = new Map([['NRTH', { id: 'sec_before', until }]]);
  const rows = nasdaq([AHEAD, row('2026-02-10')]);

  test('keeps the id that it had before lists showed the renaming', () => {
    const before = onlyEvent(derive([rows], { securityId: 'sec_before' }));
    expect(onlyEvent(derive([rows], { earlierIds })).id).toBe(before.id);
  });

  test('has the id of the renamed security if a source gave it later, or a filing earlier', () => {
    const later = nasdaq([LATER, row('2026-02-10')]);
    const results = filing('2026-02-10T21:05:00Z', '2026-01-15T00:00:00Z');
    const filed = { ...results, entityKey: 'CIK0009990001' };
    const { id } = onlyEvent(derive([rows]));
    expect(onlyEvent(derive([later], { earlierIds })).id).toBe(id);
    expect(onlyEvent(derive([rows, filed], { earlierIds })).id).toBe(id);
  });
});
