import type { LocalDate } from '../local-date.ts';
import { clockTime } from './clock-time.ts';
import type { EarlyClose } from './early-closes.ts';

interface Curtailment extends EarlyClose {
  /** First and last day, both included. */
  from: string;
  to: string;
}

const PAPERWORK = 'Paperwork backlog';
const CRASH = 'Backlog after the crash of October 1987';

/**
 * Unscheduled early closes. Late opens and halts within a session are not listed: this calendar
 * holds scheduled hours, and an operator enters such a day manually.
 */
const CURTAILMENTS: readonly Curtailment[] = [
  { from: '1969-09-29', to: '1970-05-01', close: clockTime('15:00'), name: PAPERWORK },
  once('1975-02-12', '14:30', 'Snowstorm'),
  once('1976-08-09', '15:00', 'Hurricane Belle'),
  once('1978-02-06', '14:00', 'Snowstorm'),
  once('1981-03-30', '15:17', 'Attempt on the life of President Reagan'),
  once('1981-09-09', '15:28', 'Power failure in lower Manhattan'),
  { from: '1987-10-23', to: '1987-10-30', close: clockTime('14:00'), name: CRASH },
  { from: '1987-11-02', to: '1987-11-04', close: clockTime('14:30'), name: CRASH },
  { from: '1987-11-05', to: '1987-11-06', close: clockTime('15:00'), name: CRASH },
  { from: '1987-11-09', to: '1987-11-11', close: clockTime('15:30'), name: CRASH },
  once('1994-02-11', '14:30', 'Snowstorm'),
  once('1996-01-08', '14:00', 'Snowstorm'),
  once('1997-10-27', '15:30', 'Circuit breakers'),
  once('2005-06-01', '15:56', 'Systems failure'),
];

/** The unscheduled early close of a day; null when there was none. */
export function specialEarlyClose(date: LocalDate): EarlyClose | null {
  return CURTAILMENTS.find(({ from, to }) => from <= date && date <= to) ?? null;
}

function once(date: string, close: string, name: string): Curtailment {
  return { from: date, to: date, close: clockTime(close), name };
}
