import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInstant } from '../platform/instant.ts';
import { localDate } from './local-date.ts';
import { formatNewYork, newYorkInstant } from './new-york.ts';
import { type AcceptanceReading, type FilingToSettle, settleFilings } from './settle-filings.ts';

const WINTER_AND_SUMMER = [
  '2024-02-01',
  '2024-05-02',
  '2024-08-01',
  '2024-10-31',
  '2025-01-30',
  '2025-05-01',
  '2025-07-31',
  '2025-10-30',
];

/**
 * Returns EDGAR's text for an acceptance at a New York time, written on one of its two clocks, as a
 * reading.
 */
function written(date: string, time: string, clock: 'new-york' | 'utc'): AcceptanceReading {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const at = newYorkInstant(localDate(date), hour * 60 + minute);
  const asText = clock === 'utc' ? new Date(at).toISOString() : `${date}T${time}:00Z`;
  const ifUtc = parseInstant(asText.replace('.000Z', 'Z')) ?? Number.NaN;
  const wall = new Date(ifUtc);
  const wallMinute = wall.getUTCHours() * 60 + wall.getUTCMinutes();
  const wallDate = localDate(wall.toISOString().slice(0, 10));
  return { ifNewYork: newYorkInstant(wallDate, wallMinute), ifUtc };
}

function filing(date: string, readings: AcceptanceReading[]): FilingToSettle {
  return { accession: `0000000001-${date}`, filingDate: localDate(date), readings };
}

function timesOf(filings: FilingToSettle[]): string[] {
  const settled = settleFilings(filings);
  return filings.map(({ accession }) => {
    const settlement = settled.get(accession) ?? null;
    return settlement === null ? 'null' : formatNewYork(settlement.at).slice(11, 16);
  });
}

describe('filings by one company', () => {
  it.each([
    ['16:30', 'new-york'],
    ['16:30', 'utc'],
    ['07:00', 'new-york'],
    ['07:00', 'utc'],
    ['12:15', 'new-york'],
    ['12:15', 'utc'],
  ] as const)(
    'settles the acceptance times of filings at %s written on the %s clock',
    (time, clock) => {
      const filings = WINTER_AND_SUMMER.map((date) => filing(date, [written(date, time, clock)]));
      expect(timesOf(filings)).toEqual(WINTER_AND_SUMMER.map(() => time));
    },
  );

  it('settles the acceptance times of filings even if some are written in New York time and others in UTC', () => {
    const filings = WINTER_AND_SUMMER.map((date, index) =>
      filing(date, [written(date, '16:21', index % 3 === 0 ? 'new-york' : 'utc')]),
    );
    expect(timesOf(filings)).toEqual(WINTER_AND_SUMMER.map(() => '16:21'));
  });

  it('settles on the reading that two responses on different clocks have in common', () => {
    const readings = (['new-york', 'utc'] as const).map((clock) =>
      written('2026-06-11', '14:40', clock),
    );
    expect(timesOf([filing('2026-06-11', readings)])).toEqual(['14:40']);
    expect(timesOf([filing('2026-06-11', readings.toReversed())])).toEqual(['14:40']);
  });

  it('prefers a certain acceptance time to the possible readings', () => {
    const certain = newYorkInstant(localDate('2026-06-11'), 15 * 60);
    const readings = [written('2026-06-11', '16:30', 'utc'), { certain }];
    expect(timesOf([filing('2026-06-11', readings)])).toEqual(['15:00']);
  });

  it("does not apply a company's usual filing minute to a filing from ten years earlier", () => {
    const afterHours = ['2024-08-01', '2024-10-31', '2025-01-30'].map((date) =>
      filing(date, [written(date, '16:05', 'utc')]),
    );
    const longBefore = filing('2014-03-14', [written('2014-03-14', '11:04', 'utc')]);
    expect(timesOf([...afterHours, longBefore])).toEqual(['16:05', '16:05', '16:05', 'null']);
  });

  it('returns null for a filing whose time can be determined only from its index page', () => {
    const settled = settleFilings([
      filing('2026-07-30', [written('2026-07-30', '14:30', 'new-york')]),
    ]);
    expect([...settled.values()]).toEqual([null]);
  });

  it('throws for a filing without a reading of its acceptance time', () => {
    expect(() => settleFilings([filing('2026-07-30', [])])).toThrow('no reading');
  });

  it('returns the same acceptance times for any order of the filings', () => {
    const filings = WINTER_AND_SUMMER.map((date, index) => {
      const time = ['16:30', '16:32', '07:10', '12:40'][index % 4] ?? '';
      const clock = index % 2 === 0 ? 'new-york' : 'utc';
      return filing(date, [written(date, time, clock), written(date, time, 'utc')]);
    });
    const expected = settleFilings(filings);
    fc.assert(
      fc.property(
        fc.shuffledSubarray(filings, { minLength: filings.length }),
        fc.boolean(),
        (shuffled, areReversed) => {
          const turned = shuffled.map((one) =>
            areReversed ? { ...one, readings: one.readings.toReversed() } : one,
          );
          const settled = settleFilings(turned);
          for (const [accession, value] of expected) {
            expect(settled.get(accession)).toEqual(value);
          }
        },
      ),
    );
  });
});
