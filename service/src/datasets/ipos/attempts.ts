import { addDays, type LocalDate } from '../../domain/local-date.ts';
import { compareBy } from '../../platform/compare.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Observation, ObservationHistory } from '../source-records/observation-history.ts';
import type { IpoObservation } from './observation.ts';

/** Observations of one stage of a deal. `attempt` starts at 2 for a company that tries again. */
export type IpoHistory = ObservationHistory<IpoObservation> & { attempt?: number };

/** The end of a deal, and the time when it was first reported. */
interface End {
  day: LocalDate;
  reportedAt: Instant;
}

/**
 * Minimum number of days between the ends of two deals. Ends closer together belong to the same
 * deal, whose date or status was corrected.
 */
const ENDS_APART_DAYS_MIN = 30;
/**
 * Minimum number of days from a pricing to the next deal. The prospectus for a priced deal follows
 * within days, so only later observations are about a new deal.
 */
const NEXT_AFTER_DAYS_MIN = 7;

/**
 * Splits a company's histories at a source without deal keys. Such a source identifies a stage only
 * by the company name, so a company that withdraws and files again, or is listed a second time,
 * continues the histories of its first attempt. The histories are cut where one attempt ends before
 * the next begins.
 */
export function attemptsOf(histories: readonly IpoHistory[]): IpoHistory[] {
  const ends = endsOf(histories);
  // A source with a single row per deal shows the deal's current state in that row.
  if (histories.length < 2 || ends.length === 0) return [...histories];
  return histories.flatMap((history) => {
    const parts = Map.groupBy(history.observations, (observation) =>
      attemptOf(observation, history, ends),
    );
    return [...parts].map(([before, observations]): IpoHistory => {
      return before === 0
        ? { ...history, observations }
        : { ...history, observations, attempt: before + 1 };
    });
  });
}

/** Returns the ends of the deals in these histories, oldest first. */
function endsOf(histories: readonly IpoHistory[]): End[] {
  const reported = histories.flatMap(({ observations }) =>
    observations.flatMap(({ at, fields }) => {
      const day = endDay(fields);
      return day === null ? [] : [{ day, reportedAt: at }];
    }),
  );
  const ends: End[] = [];
  for (const end of reported.toSorted(compareBy(({ day }) => day))) {
    const last = ends.at(-1);
    if (last === undefined || end.day > addDays(last.day, ENDS_APART_DAYS_MIN)) ends.push(end);
    else
      Object.assign(last, { day: end.day, reportedAt: Math.min(last.reportedAt, end.reportedAt) });
  }
  return ends;
}

/** Returns the number of deals that ended before this observation. */
function attemptOf(
  observation: Observation<IpoObservation>,
  history: IpoHistory,
  ends: readonly End[],
): number {
  const { fields } = observation;
  const ended = endDay(fields);
  if (ended !== null) return ends.filter(({ day }) => day < ended).length;
  const { filedDate, expectedDate, stage } = fields;
  const isAfter = (date: LocalDate, end: End): boolean =>
    date > addDays(end.day, NEXT_AFTER_DAYS_MIN);
  if (stage === 'filed') {
    return ends.filter((end) => filedDate != null && isAfter(filedDate, end)).length;
  }
  // A date in the future may have been expected before the deal ended, so the time of its first
  // report is checked as well.
  const reportedAt =
    history.observations.find(({ recordId }) => recordId === observation.recordId)?.at ?? 0;
  return ends.filter((end) => {
    return reportedAt > end.reportedAt && (expectedDate == null || isAfter(expectedDate, end));
  }).length;
}

function endDay({ stage, pricedDate, withdrawnDate }: IpoObservation): LocalDate | null {
  if (stage === 'priced') return pricedDate ?? null;
  return stage === 'withdrawn' ? (withdrawnDate ?? null) : null;
}
