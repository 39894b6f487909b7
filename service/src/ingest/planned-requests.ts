import {
  addDays,
  daysBetween,
  lastDayOfMonth,
  type LocalDate,
  parseLocalDate,
} from '../domain/local-date.ts';
import { scrubUrl } from '../platform/scrub-url.ts';
import type { Feed, FeedRequest, PlanContext } from '../providers/provider.ts';
import { SECRET_PARAMETERS } from './ingest.ts';
import type { Job } from './jobs.ts';

/** Returns the planned requests within the job's days, without duplicates. */
export function plannedRequests(job: Job, feed: Feed, context: PlanContext): FeedRequest[] {
  return uniqueByUrl(feed.plan?.(context) ?? []).filter(({ url }) =>
    matchesJobDays(job, url, context.today),
  );
}

function matchesJobDays(job: Job, url: string, today: LocalDate): boolean {
  if (job.days === undefined) return true;
  const date = urlDateRange(url)?.from;
  if (date === undefined) return true;
  const offset = daysBetween(today, date);
  return offset >= job.days.from && offset <= job.days.to;
}

/** Returns the requests that a feed plans on the context's day, by URL without secrets. */
export function requestsByUrl(feed: Feed, context: PlanContext): Map<string, FeedRequest> {
  const planned = uniqueByUrl(feed.plan?.(context) ?? []);
  return new Map(planned.map((request) => [storedUrl(request.url), request]));
}

/**
 * Returns a feed's requests for the days from `from` to `to`, newest first, each with the day it is
 * planned for. Only requests whose URL contains a day, a month or a range are included. The list is
 * empty for a feed without such URLs, because it has only current data.
 */
export function requestsForDays(
  feed: Feed,
  context: PlanContext,
  from: LocalDate,
  to: LocalDate,
): { url: string; day: LocalDate }[] {
  const dayByUrl = new Map<string, LocalDate>();
  let coveredFrom: LocalDate | null = null;
  for (let day = to; day >= from; day = addDays(day, -1)) {
    // A request's range moves with the planned day, so days that an already planned range covers
    // are skipped.
    if (coveredFrom !== null && day >= coveredFrom) continue;
    const matches = [...requestsByUrl(feed, { ...context, today: day }).keys()].flatMap((url) => {
      const range = urlDateRange(url);
      return range !== null && range.from <= day && range.to >= day ? [{ url, range }] : [];
    });
    for (const { url } of matches) if (!dayByUrl.has(url)) dayByUrl.set(url, day);
    const starts = matches.map(({ range }) => range.from).toSorted();
    const areRanges = matches.every(({ range }) => range.from !== range.to);
    coveredFrom = areRanges ? (starts[0] ?? null) : null;
  }
  return [...dayByUrl].map(([url, day]) => ({ url, day }));
}

/** Returns the URL as it is stored, without secrets. */
export function storedUrl(url: string): string {
  return scrubUrl(url, SECRET_PARAMETERS);
}

/** Returns the date range in a URL's parameters, or null if there is none. */
export function urlDateRange(url: string): { from: LocalDate; to: LocalDate } | null {
  const { searchParams } = new URL(url);
  const read = (...names: string[]): string =>
    names.map((name) => searchParams.get(name)).find((value) => value !== null) ?? '';
  const first = read('date', 'from', 'fromdate');
  const month = parseLocalDate(`${first}-01`);
  if (month !== null) {
    return { from: month, to: lastDayOfMonth(Number(first.slice(0, 4)), Number(first.slice(5))) };
  }
  const from = parseLocalDate(first);
  return from === null ? null : { from, to: parseLocalDate(read('to', 'todate')) ?? from };
}

function uniqueByUrl(requests: readonly FeedRequest[]): FeedRequest[] {
  return [...new Map(requests.map((request) => [request.url, request])).values()];
}
