import type { PredictedDay } from '../../src/datasets/earnings/projection/day-distribution.ts';
import { daysBetween, type LocalDate } from '../../src/domain/local-date.ts';

/** A projection with the day on which the report came. */
export interface ProjectionOutcome {
  actual: LocalDate;
  /** The report of the same quarter a year ago plus 52 weeks. */
  naive: LocalDate;
  predicted: PredictedDay;
}

/** Shares of projections, from 0 to 1. */
export interface ProjectionErrors {
  reports: number;
  exact: number;
  withinOneDay: number;
  naiveExact: number;
  naiveWithinOneDay: number;
  /** Share of reports within the intervals. */
  covered50: number;
  covered80: number;
}

export function projectionErrors(outcomes: readonly ProjectionOutcome[]): ProjectionErrors {
  const shareOf = (isRight: (outcome: ProjectionOutcome) => boolean): number =>
    Math.round((outcomes.filter(isRight).length / outcomes.length) * 1000) / 1000;
  const isIn = ({ from, to }: PredictedDay['interval80'], day: LocalDate): boolean =>
    from <= day && day <= to;
  return {
    reports: outcomes.length,
    exact: shareOf(({ actual, predicted }) => predicted.date === actual),
    withinOneDay: shareOf(({ actual, predicted }) => isNear(predicted.date, actual)),
    naiveExact: shareOf(({ actual, naive }) => naive === actual),
    naiveWithinOneDay: shareOf(({ actual, naive }) => isNear(naive, actual)),
    covered50: shareOf(({ actual, predicted }) => isIn(predicted.interval50, actual)),
    covered80: shareOf(({ actual, predicted }) => isIn(predicted.interval80, actual)),
  };
}

function isNear(a: LocalDate, b: LocalDate): boolean {
  return Math.abs(daysBetween(a, b)) <= 1;
}
