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

/** The requests of the plan that the job wants; each URL once. */
export function plannedRequests(job: Job, feed: Feed, context: PlanContext): FeedRequest[] {
  return uniqueByUrl(feed.plan?.(context) ?? []).filter(({ url }) =>
    matchesJobDays(job, url, context.today),
  );
}

function matchesJobDays(job: Job, url: string, today: LocalDate): boolean {
  if (job.days === undefined) return true;
  const date = urlDateRange(url)?.from;
  if (date === undefined) return true;
  const away = daysBetween(today, date);
  return away >= job.days.from && away <= job.days.to;
}

/** What a feed would have asked on a day; by URL without secrets. */
export function requestsByUrl(feed: Feed, context: PlanContext): Map<string, FeedRequest> {
  const planned = uniqueByUrl(feed.plan?.(context) ?? []);
  return new Map(planned.map((request) => [withoutSecrets(request.url), request]));
}

/**
 * What a feed can be asked about the days from `from` to `to`, newest first, each with the day for
 * which it is planned: what names a day, a month or a span. A feed that names none gives nothing,
 * since it knows only the present.
 */
export function requestsForDays(
  feed: Feed,
  context: PlanContext,
  from: LocalDate,
  to: LocalDate,
): { url: string; day: LocalDate }[] {
  const wanted = new Map<string, LocalDate>();
  let coveredFrom: LocalDate | null = null;
  for (let day = to; day >= from; day = addDays(day, -1)) {
    // Spans that slide with the day they are planned for need not overlap.
    if (coveredFrom !== null && day >= coveredFrom) continue;
    const fitting = [...requestsByUrl(feed, { ...context, today: day }).keys()].flatMap((url) => {
      const span = urlDateRange(url);
      return span !== null && span.from <= day && span.to >= day ? [{ url, span }] : [];
    });
    for (const { url } of fitting) if (!wanted.has(url)) wanted.set(url, day);
    const starts = fitting.map(({ span }) => span.from).toSorted();
    const isSpans = fitting.every(({ span }) => span.from !== span.to);
    coveredFrom = isSpans ? (starts[0] ?? null) : null;
  }
  return [...wanted].map(([url, day]) => ({ url, day }));
}

/** The URL as it is kept. */
function withoutSecrets(url: string): string {
  return scrubUrl(url, SECRET_PARAMETERS);
}

/** The days a URL asks about by its parameters; null when it names none. */
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
