import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Component,
  readICalendar,
  readText,
  valuesIn,
} from '../../test/support/read-icalendar.ts';
import { type CalendarEntry, renderCalendar } from './icalendar.ts';
import { localDate } from './local-date.ts';

const ENTRY: CalendarEntry = {
  uid: 'ern_0d7be2a15c3f4b7790ce',
  when: { date: localDate('2026-12-31') },
  summary: 'NRTH earnings',
  description: 'Northgate Instruments Inc.',
  url: null,
  isTentative: false,
  modifiedAt: Date.parse('2026-11-12T21:40:00.750Z'),
};

test('renders a calendar with the version, product, name and refresh interval that calendar programs need', () => {
  const calendar = written([]);
  expect(calendar.name).toBe('VCALENDAR');
  expect(valuesIn(calendar, 'VERSION')).toEqual(['2.0']);
  expect(valuesIn(calendar, 'PRODID')).toHaveLength(1);
  expect(valuesIn(calendar, 'X-WR-CALNAME').map(readText)).toEqual(['Earnings; NRTH, VLY']);
  expect(valuesIn(calendar, 'REFRESH-INTERVAL')).toEqual(['PT4H']);
});

test('ends an all-day calendar entry where the next day begins, even at the turn of the year', () => {
  const entry = written([ENTRY]).parts[0];
  expect(entry?.lines).toContainEqual({
    name: 'DTSTART',
    parameters: { VALUE: 'DATE' },
    value: '20261231',
  });
  expect(entry?.lines).toContainEqual({
    name: 'DTEND',
    parameters: { VALUE: 'DATE' },
    value: '20270101',
  });
});

test('writes calendar times in UTC, in whole seconds', () => {
  const from = Date.parse('2026-11-20T13:00:00.999Z');
  const entry = entryOf({ when: { from, to: from + 5_400_000 } });
  expect(valuesIn(entry, 'DTSTART')).toEqual(['20261120T130000Z']);
  expect(valuesIn(entry, 'DTEND')).toEqual(['20261120T143000Z']);
});

test("uses an entry's last modification as its timestamp, so that the output is reproducible", () => {
  const entry = entryOf({});
  expect(valuesIn(entry, 'DTSTAMP')).toEqual(['20261112T214000Z']);
  expect(valuesIn(entry, 'LAST-MODIFIED')).toEqual(['20261112T214000Z']);
  expect(valuesIn(entry, 'UID')).toEqual([ENTRY.uid]);
});

test('gives a changed entry a greater sequence number, which fits into 32 bits', () => {
  const numberOf = (modifiedAt: number) => Number(valuesIn(entryOf({ modifiedAt }), 'SEQUENCE')[0]);
  const [earlier, later] = [ENTRY.modifiedAt, ENTRY.modifiedAt + 60_000].map(numberOf);
  expect(later).toBeGreaterThan(earlier ?? NaN);
  expect(numberOf(Date.parse('2099-12-31T00:00:00Z'))).toBeLessThan(2 ** 31);
});

test('marks unconfirmed calendar entries as tentative and never marks an entry as busy', () => {
  expect(valuesIn(entryOf({ isTentative: true }), 'STATUS')).toEqual(['TENTATIVE']);
  expect(valuesIn(entryOf({ isTentative: false }), 'STATUS')).toEqual(['CONFIRMED']);
  expect(valuesIn(entryOf({}), 'TRANSP')).toEqual(['TRANSPARENT']);
});

test.each([
  ['https://example.com/a?b=1,2;c#d', true],
  ['http://example.com/', true],
  ['javascript:alert(1)', false],
  ['https://example.com/\r\nATTENDEE:mailto:a@example.com', false],
  ['https://example.com/a b', false],
  ['https://exämple.com/', false],
])('checks whether a calendar entry includes the URL %j: %s', (url, isWritten) => {
  expect(valuesIn(entryOf({ url }), 'URL')).toEqual(isWritten ? [url] : []);
});

test('round-trips any text in calendar lines of at most 75 octets without adding lines', () => {
  const lineEnds = fc.constantFrom(
    '\r\n',
    '\n',
    '\r',
    '\\',
    ';',
    ',',
    '\\n',
    ':',
    '"',
    '\nEND:VEVENT',
  );
  const anyText = fc.array(fc.oneof(fc.string({ unit: 'binary', maxLength: 90 }), lineEnds));
  fc.assert(
    fc.property(anyText, anyText, (summary, description) => {
      const texts = { summary: summary.join(''), description: description.join('') };
      const entry = entryOf(texts);
      expect(entry.parts).toEqual([]);
      expect(entry.lines.map(({ name }) => name)).toEqual(
        entryOf({}).lines.map(({ name }) => name),
      );
      expect(readText(valuesIn(entry, 'SUMMARY')[0] ?? '')).toBe(meantBy(texts.summary));
      expect(readText(valuesIn(entry, 'DESCRIPTION')[0] ?? '')).toBe(meantBy(texts.description));
    }),
  );
});

test('folds a long calendar entry name only between characters, in any script', () => {
  const summary = '株式会社ノースゲート計測器 🚀🚀🚀 '.repeat(20);
  expect(readText(valuesIn(entryOf({ summary }), 'SUMMARY')[0] ?? '')).toBe(summary);
});

/**
 * Returns the text that a calendar program should read: with normalized line endings and without
 * the characters that no line may contain.
 */
function meantBy(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/[\r\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(/(?![\t\n])\p{Cc}/gu, '')
    .toWellFormed();
}

function entryOf(overrides: Partial<CalendarEntry>): Component {
  const [entry] = written([{ ...ENTRY, ...overrides }]).parts;
  if (entry === undefined) throw new Error('there is no entry');
  return entry;
}

function written(entries: readonly CalendarEntry[]): Component {
  const name = 'Earnings; NRTH, VLY';
  const text = renderCalendar({ name, description: 'Reports.', refreshHours: 4, entries });
  return readICalendar(new TextEncoder().encode(text));
}
