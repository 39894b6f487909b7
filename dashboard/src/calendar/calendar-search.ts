import { addDays, mondayOf, newYorkDate } from '../format/time.ts';

export const CALENDARS = [
  {
    value: 'earnings',
    label: 'Earnings',
    title: 'Earnings calendar',
    lead: 'Who reports when, how sure the day is, and how it went. Days are New York days.',
  },
  {
    value: 'economic',
    label: 'Economic',
    title: 'Economic calendar',
    lead: 'What agencies and banks publish, with forecast and figure. Hours are those of New York.',
  },
  {
    value: 'ipos',
    label: 'IPOs',
    title: 'IPO calendar',
    lead: 'Companies on their way to the market, until they trade.',
  },
  {
    value: 'dividends',
    label: 'Dividends',
    title: 'Dividend calendar',
    lead: 'Who trades without the dividend from which day on.',
  },
] as const;

export type CalendarName = (typeof CALENDARS)[number]['value'];

/** What the address says of the calendar, so that a link keeps it. What is usual is left out. */
export interface CalendarSearch {
  calendar?: CalendarName | undefined;
  /** A day of the week that is shown; on narrow screens the day itself. */
  date?: string | undefined;
  /** The day whose whole list is open. */
  day?: string | undefined;
  /** Symbols with commas between. */
  symbols?: string | undefined;
  /** A part of symbol or name. */
  find?: string | undefined;
  /** Without projected days. */
  sure?: true | undefined;
  /** Major U.S. releases alone. */
  major?: true | undefined;
}

export type OnSearch = (change: CalendarSearch) => void;

export function readCalendarSearch(search: Record<string, unknown>): CalendarSearch {
  const calendar = CALENDARS.find(({ value }) => value === search['calendar'])?.value;
  return {
    calendar: calendar === 'earnings' ? undefined : calendar,
    date: dateOf(search['date']),
    day: dateOf(search['day']),
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
  /** The day of it that narrow screens show. */
  chosen: string;
}

/** The week of a day; on weekends without a choice, the one that comes. */
export function weekOf(date: string | undefined, now: number): Week {
  const asked = date ?? comingSession(newYorkDate(new Date(now)));
  const monday = mondayOf(asked);
  const friday = addDays(monday, 4);
  const chosen = asked > friday ? friday : asked;
  return { monday, friday, sunday: addDays(monday, 6), chosen };
}

/** A pasted list, with anything between its symbols, as the interface takes it. */
export function readSymbols(pasted: string): string[] {
  const parts = pasted.toUpperCase().split(/[^A-Z0-9.\-/^:]+/);
  return [...new Set(parts.filter((part) => part !== ''))];
}

/** Weekends look ahead to Monday. */
function comingSession(today: string): string {
  const monday = mondayOf(today);
  return today > addDays(monday, 4) ? addDays(monday, 7) : today;
}

function dateOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  const date = new Date(`${value}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || !date.toISOString().startsWith(value) ? undefined : value;
}

/** A find of digits comes as a number. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
