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

/** The calendar state, as stored in the URL. Defaults are omitted. */
export interface CalendarSearch {
  calendar?: CalendarName | undefined;
  /** A day of the displayed week; on narrow screens, the displayed day. */
  date?: string | undefined;
  /** The day whose full list is open. */
  day?: string | undefined;
  /** Comma-separated symbols. */
  symbols?: string | undefined;
  /** Part of a symbol or name. */
  find?: string | undefined;
  /** Excludes projected dates. */
  sure?: true | undefined;
  /** Major U.S. releases only. */
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
  /** The day shown on narrow screens. */
  selected: string;
}

/** The week of a date; by default the current one, or the next one on weekends. */
export function weekOf(date: string | undefined, now: number): Week {
  const requestedDate = date ?? comingSession(newYorkDate(new Date(now)));
  const monday = mondayOf(requestedDate);
  const friday = addDays(monday, 4);
  const selected = requestedDate > friday ? friday : requestedDate;
  return { monday, friday, sunday: addDays(monday, 6), selected };
}

/** Parses a pasted list of symbols with any separators. */
export function readSymbols(pasted: string): string[] {
  const parts = pasted.toUpperCase().split(/[^A-Z0-9.\-/^:]+/);
  return [...new Set(parts.filter((part) => part !== ''))];
}

/** On weekends, the next Monday. */
function comingSession(today: string): string {
  const monday = mondayOf(today);
  return today > addDays(monday, 4) ? addDays(monday, 7) : today;
}

/** The router parses a numeric search term as a number. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
