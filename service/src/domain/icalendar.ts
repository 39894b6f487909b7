import { formatInstant, type Instant } from '../platform/instant.ts';
import { addDays, type LocalDate } from './local-date.ts';

/** One entry of a calendar, RFC 5545 §3.6.1. */
export interface CalendarEntry {
  /** Stays the same for as long as the entry means the same thing. */
  uid: string;
  /** All of a day, or from one moment to another. */
  when: { date: LocalDate } | { from: Instant; to: Instant };
  summary: string;
  description: string;
  /** Null, or an address that begins with `https://` or `http://`; another is left out. */
  url: string | null;
  isTentative: boolean;
  modifiedAt: Instant;
}

export interface Calendar {
  name: string;
  description: string;
  /** How often programs that subscribe should ask again. */
  refreshHours: number;
  entries: readonly CalendarEntry[];
}

const PRODUCT = '-//Afterbell//Earnings calendar//EN';
const LINE_OCTETS_MAX = 75;

/**
 * A calendar as iCalendar text (RFC 5545): lines end in CRLF, none is longer than 75 octets. The
 * same calendar is always the same text: the time stamp of an entry is its last modification.
 */
export function renderCalendar(calendar: Calendar): string {
  const every = `PT${calendar.refreshHours}H`;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:${PRODUCT}`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    // Name, description and pace twice: RFC 7986 has them, older programs know the other names.
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
    ...whenLines(entry.when),
    `SUMMARY:${escapeText(entry.summary)}`,
    `DESCRIPTION:${escapeText(entry.description)}`,
    ...(entry.url !== null && WEB_ADDRESS.test(entry.url) ? [`URL:${entry.url}`] : []),
    `STATUS:${entry.isTentative ? 'TENTATIVE' : 'CONFIRMED'}`,
    // It takes up no time of the person whose calendar it is.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** The end of a day is the day after: it is left out. */
function whenLines(when: CalendarEntry['when']): string[] {
  if ('from' in when) return [`DTSTART:${utc(when.from)}`, `DTEND:${utc(when.to)}`];
  const [first, past] = [when.date, addDays(when.date, 1)].map((day) => day.replaceAll('-', ''));
  return [`DTSTART;VALUE=DATE:${first}`, `DTEND;VALUE=DATE:${past}`];
}

/** `20261120T143000Z`: whole seconds. */
function utc(at: Instant): string {
  return formatInstant(Math.floor(at / 1000) * 1000).replace(/[-:]/g, '');
}

/** Printable ASCII without what no address may hold, so that it can end no line. */
const WEB_ADDRESS = /^https?:\/\/[!#-;=?-[\]_a-z~]+$/;

/** TEXT of RFC 5545 §3.3.11; control characters other than line ends are dropped. */
function escapeText(text: string): string {
  return text
    .replace(/[\\;,]/g, (character) => `\\${character}`)
    .replace(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/g, '\\n')
    .replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g, '')
    .toWellFormed();
}

/**
 * Breaks a line into pieces of at most 75 octets, each after the first with a space in front that
 * counts; no character is cut in two.
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

/** Octets of one character in UTF-8. */
function octetsOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}
