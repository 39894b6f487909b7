import { formatInstant, type Instant } from '../platform/instant.ts';
import { addDays, type LocalDate } from './local-date.ts';

/** A calendar entry (RFC 5545 §3.6.1). */
export interface CalendarEntry {
  /** Unique ID that doesn't change while the entry describes the same event. */
  uid: string;
  /** A whole day, or a period between two instants. */
  when: { date: LocalDate } | { from: Instant; to: Instant };
  summary: string;
  description: string;
  /** An `https://` or `http://` URL, or null. Any other URL is omitted. */
  url: string | null;
  isTentative: boolean;
  modifiedAt: Instant;
}

export interface Calendar {
  name: string;
  description: string;
  /** Polling interval for programs that subscribe to the calendar. */
  refreshHours: number;
  entries: readonly CalendarEntry[];
}

const PRODUCT = '-//Afterbell//Earnings calendar//EN';
const LINE_OCTETS_MAX = 75;

/**
 * Renders iCalendar text (RFC 5545) with CRLF line endings and lines of at most 75 octets. The same
 * calendar always produces the same text, because each entry's timestamp is its last modification.
 */
export function renderCalendar(calendar: Calendar): string {
  const every = `PT${calendar.refreshHours}H`;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:${PRODUCT}`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    // The name, description and refresh interval are written twice: with the property names from
    // RFC 7986, and with those that older programs support.
    `NAME:${escapeText(calendar.name)}`,
    `X-WR-CALNAME:${escapeText(calendar.name)}`,
    `DESCRIPTION:${escapeText(calendar.description)}`,
    `X-WR-CALDESC:${escapeText(calendar.description)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${every}`,
    `X-PUBLISHED-TTL:${every}`,
    ...calendar.entries.flatMap(entryLines),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}

function entryLines(entry: CalendarEntry): string[] {
  const modified = utc(entry.modifiedAt);
  return [
    'BEGIN:VEVENT',
    `UID:${escapeText(entry.uid)}`,
    `DTSTAMP:${modified}`,
    `LAST-MODIFIED:${modified}`,
    `SEQUENCE:${sequenceOf(entry.modifiedAt)}`,
    ...whenLines(entry.when),
    `SUMMARY:${escapeText(entry.summary)}`,
    `DESCRIPTION:${escapeText(entry.description)}`,
    ...(entry.url !== null && WEB_ADDRESS.test(entry.url) ? [`URL:${entry.url}`] : []),
    `STATUS:${entry.isTentative ? 'TENTATIVE' : 'CONFIRMED'}`,
    // Marks the entry as free, so it doesn't block time in the calendar.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/**
 * Returns the revision of an entry, by which programs recognize a newer one (RFC 5545 §3.8.7.4). Any
 * number that grows will do. Minutes fit into the 32 bits that programs expect.
 */
function sequenceOf(modifiedAt: Instant): number {
  return Math.floor(modifiedAt / 60_000);
}

/** DTEND is omitted for a whole day, because an all-day entry then ends on the next day. */
function whenLines(when: CalendarEntry['when']): string[] {
  if ('from' in when) return [`DTSTART:${utc(when.from)}`, `DTEND:${utc(when.to)}`];
  const [first, past] = [when.date, addDays(when.date, 1)].map((day) => day.replaceAll('-', ''));
  return [`DTSTART;VALUE=DATE:${first}`, `DTEND;VALUE=DATE:${past}`];
}

/** Formats an instant in whole seconds: `20261120T143000Z`. */
function utc(at: Instant): string {
  return formatInstant(Math.floor(at / 1000) * 1000).replace(/[-:]/g, '');
}

/**
 * Matches printable ASCII without characters that are invalid in a URL, so a URL cannot end the
 * line.
 */
const WEB_ADDRESS = /^https?:\/\/[!#-;=?-[\]_a-z~]+$/;

/** Escapes a TEXT value (RFC 5545 §3.3.11). Drops control characters other than line endings. */
function escapeText(text: string): string {
  return text
    .replace(/[\\;,]/g, (character) => `\\${character}`)
    .replace(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/g, '\\n')
    .replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g, '')
    .toWellFormed();
}

/**
 * Folds a line into pieces of at most 75 octets without splitting a character. Each piece after the
 * first begins with a space, which is included in the 75 octets.
 */
function fold(line: string): string {
  if (line.length * 3 <= LINE_OCTETS_MAX) return line;
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const width = octetsOf(character);
    if (octets + width > LINE_OCTETS_MAX) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += character;
    octets += width;
  }
  return folded;
}

/** Returns the number of UTF-8 octets in one character. */
function octetsOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}
