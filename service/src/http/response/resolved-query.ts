import type { Endpoint, Values } from '../../endpoints/endpoint.ts';
import { addMonths, type LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import { problem, type Problem } from '../problems.ts';

/** What is asked, read and checked: two requests with equal questions get equal answers. */
export interface ResolvedQuery {
  endpoint: Endpoint;
  values: Values;
  /** The address of the answer: dates resolved, no key. */
  location: string;
  /** First day that may be seen, of an endpoint that leaves rows out; null: all. */
  historyFrom: LocalDate | null;
}

/** The first day a plan of so many months may see, inclusive: clamped to the end of the month. */
export function earliestVisibleDate(historyMonths: number, now: Instant): LocalDate {
  return addMonths(newYorkDate(now), -historyMonths);
}

/**
 * The question of one who may see so much history; a refusal when it asks for a day before that.
 * `historyMonths` null is all of it.
 */
export function applyHistoryLimit(
  asked: Omit<ResolvedQuery, 'historyFrom'>,
  plan: { name: string; historyMonths: number | null },
  now: Instant,
): ResolvedQuery | { refusal: Problem } {
  const { endpoint, values } = asked;
  if (!endpoint.historicalAccess || plan.historyMonths === null) {
    return { ...asked, historyFrom: null };
  }
  const earliestDate = earliestVisibleDate(plan.historyMonths, now);
  if (endpoint.firstDay === undefined) return { ...asked, historyFrom: earliestDate };
  const requestedDate = endpoint.firstDay(values);
  if (requestedDate >= earliestDate) return { ...asked, historyFrom: null };
  const detail = `The plan ${plan.name} reaches back to ${earliestDate}.`;
  const members = { requestedDate, earliestDate, plan: plan.name };
  return { refusal: problem('history-window-exceeded', detail, { members }) };
}
