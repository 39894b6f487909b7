import type { LocalDate } from '../local-date.ts';
import { clockTime } from './clock-time.ts';

/** Hours of a full session, in minutes since New York midnight. */
export interface RegularHours {
  open: number;
  close: number;
}

/** Newest row first. The oldest row also applies to all days before it. */
const HOURS = [
  { from: '1985-09-30', open: clockTime('09:30'), close: clockTime('16:00') },
  { from: '1974-10-01', open: clockTime('10:00'), close: clockTime('16:00') },
  { from: '1952-09-29', open: clockTime('10:00'), close: clockTime('15:30') },
] as const;

const OLDEST = HOURS[HOURS.length - 1] ?? HOURS[0];

export function regularHours(date: LocalDate): RegularHours {
  return HOURS.find((hours) => hours.from <= date) ?? OLDEST;
}
