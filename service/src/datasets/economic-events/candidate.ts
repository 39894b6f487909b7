import { countryCodeOf, countryNameOf } from '../../domain/country.ts';
import { addDays, type LocalDate } from '../../domain/local-date.ts';
import { formatClockTime } from '../../domain/market/clock-time.ts';
import { newYorkDate, newYorkInstant, newYorkTimeOfDayMs } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import type { QuarantineReason } from '../dataset.ts';
import {
  latest,
  type Observation,
  type ObservationHistory,
} from '../source-records/observation-history.ts';
import { type Calibrate, minuteOf, readClock } from './calibrate.ts';
import { wellKnownIdentity, plainId } from './event-id.ts';
import { wellKnownEvent } from './identify-events.ts';
import { foldName, type WellKnownEvent } from './well-known-event.ts';
import { WELL_KNOWN_EVENTS } from './well-known-events.ts';
import type { EconomicObservation } from './observation.ts';
import type { ClockTime, TimeStatus } from './row.ts';

type EconomicHistory = ObservationHistory<EconomicObservation>;

/** A feed's values for one event, with day and clock converted to New York time. */
export interface Candidate {
  history: EconomicHistory;
  /**
   * The newest observation. If only an older observation's capture can be calibrated, day and clock
   * come from that one.
   */
  observation: Observation<EconomicObservation>;
  id: string;
  wellKnown: WellKnownEvent | null;
  eventName: string;
  country: string;
  countryCode: string | null;
  date: LocalDate;
  time: ClockTime | null;
  scheduledAt: Instant | null;
  timeStatus: TimeStatus;
  period: string | null;
}

/**
 * Returns one candidate for a row, or one per event for a whole release; otherwise the reason why
 * there is none.
 */
export function candidatesOf(
  history: EconomicHistory,
  calibrate: Calibrate,
): Candidate[] | QuarantineReason {
  const schedule = scheduleOf(history, calibrate);
  if (schedule === null) {
    return {
      reason: 'unsettled-day',
      detail: 'no regular weekly release of the same capture calibrates the day and the clock',
    };
  }
  const observation = latest(history);
  const { fields } = observation;
  const location = placeOf(fields.country);
  const shared = { history, observation, ...location, ...schedule };
  const members = membersOf(fields);
  if (members.length > 0) {
    return members.map((wellKnown) => {
      const { id, name, period } = wellKnownIdentity(wellKnown, schedule.date, fields);
      return { ...shared, id, wellKnown, eventName: name, period };
    });
  }
  const eventName = fields.eventName;
  const id = plainId(
    location.countryCode ?? location.country,
    eventName,
    fields.ordinal,
    schedule.date,
  );
  return [{ ...shared, id, wellKnown: null, eventName, period: fields.period ?? null }];
}

/**
 * Returns the well-known events in a row: the event with its stem, all events of a release, or
 * none.
 */
function membersOf({ stem, isRelease, eventName }: EconomicObservation): WellKnownEvent[] {
  if (stem !== null) {
    const wellKnown = wellKnownEvent(stem);
    return wellKnown === null ? [] : [wellKnown];
  }
  if (isRelease !== true) return [];
  const release = foldName(eventName);
  return WELL_KNOWN_EVENTS.filter((wellKnown) => wellKnown.release === release);
}

type Schedule = Pick<Candidate, 'date' | 'time' | 'scheduledAt' | 'timeStatus'>;

/**
 * Returns the day and clock from the newest capture that can be calibrated. All observations in a
 * history have the same listed day.
 */
function scheduleOf(history: EconomicHistory, calibrate: Calibrate): Schedule | null {
  for (const { fields, at } of history.observations.toReversed()) {
    const { timeStatus, time, date } = fields;
    if (fields.clock === 'new-york') {
      const scheduledAt = time === null ? null : newYorkInstant(date, minuteOf(time));
      return { date, time, scheduledAt, timeStatus };
    }
    const calibration = calibrate(history, at, date);
    if (calibration === null) continue;
    if (time === null) {
      const day = addDays(date, calibration.shiftDays);
      return { date: day, time, scheduledAt: null, timeStatus };
    }
    const scheduledAt = readClock(date, minuteOf(time), calibration);
    const day = newYorkDate(scheduledAt);
    const clock = clockOf(scheduledAt);
    return { date: day, time: clock, scheduledAt, timeStatus };
  }
  return null;
}

function clockOf(at: Instant): ClockTime {
  return formatClockTime(Math.floor(newYorkTimeOfDayMs(at) / 60_000));
}

const EURO_AREA = /^(?:euro ?zone|euro area|eurozone)$/i;

/**
 * Returns the country's English name and code. Only the names of the United States and the euro area
 * are normalized.
 */
export function placeOf(country: string): { country: string; countryCode: string | null } {
  if (EURO_AREA.test(country)) return { country: 'Euro Area', countryCode: 'EU' };
  const countryCode = countryCodeOf(country);
  const isHome = countryCode === 'US';
  return { country: isHome ? (countryNameOf('US') ?? country) : country, countryCode };
}
