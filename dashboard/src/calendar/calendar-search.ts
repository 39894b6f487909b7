import { readDate } from '../format/search.ts';
import { addDays, mondayOf, newYorkDate } from '../format/time.ts';

export const CALENDARS = [
  {
    value: 'earnings',
    label: 'Earnings',
    title: 'Earnings calendar',
    lead: 'Upcoming and past reports, with date confidence and results. Dates in New York time.',
  },
  {
    value: 'economic',
    label: 'Economic',
    title: 'Economic calendar',
    lead: 'Releases by agencies and central banks, with forecast and actual. Times in New York time.',
  },
  {
    value: 'ipos',
    label: 'IPOs',
    title: 'IPO calendar',
    lead: 'Upcoming offerings, from filing to the first day of trading.',
  },
  {
    value: 'dividends',
    label: 'Dividends',
    title: 'Dividend calendar',
    lead: 'Stocks going ex-dividend this week.',
  },
] as const;

export type CalendarName = (typeof CALENDARS)[number]['value'];

/** The state of the calendar page, as stored in the URL. Default values are omitted. */
export interface CalendarSearch {
  calendar?: CalendarName | undefined;
  /** A date in the displayed week. On narrow screens, only this day is shown. */
  date?: string | undefined;
  /** The day whose full list of reports is open. */
  day?: string | undefined;
  /** Comma-separated symbols, and watchlists as `@name`. */
  symbols?: string | undefined;
  /** Part of a symbol or company name. */
  find?: string | undefined;
  /** True to exclude projected dates. */
  sure?: true | undefined;
  /** True to show only major U.S. releases. */
  major?: true | undefined;
}

export type OnSearch = (change: CalendarSearch) => void;

export function readCalendarSearch(search: Record<string, unknown>): CalendarSearch {
  const calendar = CALENDARS.find(({ value }) => value === search['calendar'])?.value;
  return {
    calendar: calendar === 'earnings' ? undefined : calendar,
    date: readDate(search['date']),
    day: readDate(search['day']),
    symbols: textOf(search['symbols']),
    find: textOf(search['find']),
    sure: search['sure'] === true ? true : undefined,
    major: search['major'] === true ? true : undefined,
  };
}

export interface Week {
  monday: string;
  friday: string;
  sunday: string;
  /** The only day shown on narrow screens. */
  selected: string;
}

/**
 * Returns the week that contains a date. Defaults to the current week, or to the next week on
 * weekends.
 */
export function weekOf(date: string | undefined, now: number): Week {
  const requestedDate = date ?? comingSession(newYorkDate(new Date(now)));
  const monday = mondayOf(requestedDate);
  const friday = addDays(monday, 4);
  const selected = requestedDate > friday ? friday : requestedDate;
  return { monday, friday, sunday: addDays(monday, 6), selected };
}

/** Parses a pasted list of symbols, and of watchlists as `@name`, separated in any way. */
export function readSymbols(pasted: string): string[] {
  const parts = pasted.toUpperCase().split(/[^A-Z0-9.\-/^:@_]+/);
  const symbols = parts.map((part) => (part.startsWith('@') ? part.toLowerCase() : part));
  return [...new Set(symbols.filter((symbol) => symbol !== ''))];
}

/** Returns the following Monday if today is on a weekend, or else today. */
function comingSession(today: string): string {
  const monday = mondayOf(today);
  return today > addDays(monday, 4) ? addDays(monday, 7) : today;
}

/** Returns a search term as text. The router parses a numeric search term as a number. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
