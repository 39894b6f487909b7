import { addDays, type LocalDate, monthOf, weekdayOf } from '../local-date.ts';
import { dateIn, easterSunday, lastWeekday, nthWeekday } from './year-dates.ts';

/** A weekday on which the market is closed according to its yearly rules. */
export interface Holiday {
  date: LocalDate;
  name: string;
  /** The actual date if the holiday falls on a weekend; otherwise null. */
  observedFor: LocalDate | null;
}

interface HolidayRule {
  name: string;
  /** First and last year in which the rule applies. Unlimited if omitted. */
  from?: number;
  until?: number;
  years?: readonly number[];
  dateIn(year: number): LocalDate;
}

const MONDAY = 1;
const THURSDAY = 4;
const SATURDAY = 6;
const SUNDAY = 0;

/**
 * Lincoln's Birthday, Columbus Day and Veterans Day are not listed, because the market was open on
 * them in every year of the exact calendar. After 1968, Election Day was a holiday only in
 * presidential election years, until 1980.
 */
const RULES: readonly HolidayRule[] = [
  { name: "New Year's Day", dateIn: (year) => dateIn(year, 1, 1) },
  {
    name: 'Martin Luther King Jr. Day',
    from: 1998,
    dateIn: (year) => nthWeekday(year, 1, MONDAY, 3),
  },
  { name: "Washington's Birthday", until: 1970, dateIn: (year) => dateIn(year, 2, 22) },
  {
    name: "Washington's Birthday",
    from: 1971,
    dateIn: (year) => nthWeekday(year, 2, MONDAY, 3),
  },
  { name: 'Good Friday', dateIn: (year) => addDays(easterSunday(year), -2) },
  { name: 'Memorial Day', until: 1970, dateIn: (year) => dateIn(year, 5, 30) },
  { name: 'Memorial Day', from: 1971, dateIn: (year) => lastWeekday(year, 5, MONDAY) },
  { name: 'Juneteenth', from: 2022, dateIn: (year) => dateIn(year, 6, 19) },
  { name: 'Independence Day', dateIn: (year) => dateIn(year, 7, 4) },
  { name: 'Labor Day', dateIn: (year) => nthWeekday(year, 9, MONDAY, 1) },
  {
    name: 'Election Day',
    years: [1972, 1976, 1980],
    // Election Day is the Tuesday after the first Monday in November.
    dateIn: (year) => addDays(nthWeekday(year, 11, MONDAY, 1), 1),
  },
  { name: 'Thanksgiving Day', dateIn: (year) => nthWeekday(year, 11, THURSDAY, 4) },
  { name: 'Christmas Day', dateIn: (year) => dateIn(year, 12, 25) },
];

/** Returns the weekdays in a year on which the market is closed for holidays, by date. */
export function holidaysOf(year: number): Holiday[] {
  const holidays: Holiday[] = [];
  for (const rule of RULES) {
    if (!appliesIn(rule, year)) continue;
    const date = rule.dateIn(year);
    const observed = observedOn(date);
    if (observed === null) continue;
    holidays.push({
      date: observed,
      name: rule.name,
      observedFor: observed === date ? null : date,
    });
  }
  return holidays.toSorted((a, b) => (a.date < b.date ? -1 : 1));
}

function appliesIn(rule: HolidayRule, year: number): boolean {
  if (rule.years !== undefined) return rule.years.includes(year);
  return year >= (rule.from ?? -Infinity) && year <= (rule.until ?? Infinity);
}

/**
 * Returns the day on which a holiday is observed. A Sunday holiday is observed on Monday. A
 * Saturday holiday is observed on Friday, unless that is the last trading day of a month or year,
 * when the books must be closed. It is then not observed, and the result is null. This is the case
 * for every 1 January on a Saturday and for 30 May 1970.
 */
function observedOn(date: LocalDate): LocalDate | null {
  const weekday = weekdayOf(date);
  if (weekday === SUNDAY) return addDays(date, 1);
  if (weekday !== SATURDAY) return date;
  const friday = addDays(date, -1);
  const monday = addDays(date, 2);
  return monthOf(friday) === monthOf(monday) ? friday : null;
}
