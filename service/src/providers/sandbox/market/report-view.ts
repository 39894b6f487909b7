import type { LocalDate } from '../../../domain/local-date.ts';
import type { Instant } from '../../../platform/instant.ts';
import { newYorkInstant } from '../../../domain/new-york.ts';
import type { Company, SessionName } from './company.ts';
import { draws, randomInt, randomNormal, randomUnit } from './random.ts';
import type { Report } from './report.ts';
import type { Revision, Revisions } from './revisions.ts';
import type { TradingDays } from './trading-days.ts';

/** A report as visible at a given instant. */
export interface View {
  report: Report;
  date: LocalDate;
  session: SessionName;
  status: 'projected' | 'confirmed' | 'reported';
  /** Start of the conference call; null until the date is confirmed. */
  callAt: Instant | null;
  estimate: Estimate | null;
  actual: { epsCents: number; revenue: number; at: Instant } | null;
}

export interface Estimate {
  epsCents: number;
  revenue: number;
  analysts: number;
}

export interface ViewContext {
  seed: number;
  revisions: Revisions;
  days: TradingDays;
}

const DAY_MS = 86_400_000;
const CLOSE_MINUTE = 16 * 60;

/**
 * Returns the report as visible at `at`. `ahead` is the number of unreported quarters before it (0
 * for the next report). `next` is true if the previous report, if any, gets no more revisions.
 */
export function viewReport(
  context: ViewContext,
  report: Report,
  at: Instant,
  position: { ahead: number; next: boolean },
): View {
  const released = at >= report.releaseAt;
  const confirmed = at >= report.confirmAt;
  const { company, figures } = report;
  const date = shownDate(context, report, at);
  return {
    report,
    date,
    callAt: confirmed ? callAt(company, date) : null,
    session: confirmed || company.sessionKnownEarly ? company.session : 'unknown',
    status: released ? 'reported' : confirmed ? 'confirmed' : 'projected',
    estimate: estimateAt(context, report, at, position),
    actual: released
      ? { epsCents: figures.epsCents, revenue: figures.revenue, at: report.releaseAt }
      : null,
  };
}

/** Returns the next half hour that begins at least half an hour after the usual release. */
export function callAt({ session, minute }: Company, date: LocalDate): Instant {
  const releaseMinute = session === 'unknown' ? CLOSE_MINUTE : minute;
  return newYorkInstant(date, Math.ceil(releaseMinute / 30 + 1) * 30);
}

/**
 * Returns the date shown at `at`: a changing guess far ahead, a better guess closer in, then the
 * confirmed date, and finally the actual date.
 */
function shownDate(context: ViewContext, report: Report, at: Instant): LocalDate {
  if (report.group === 'anchor' || at >= (report.rescheduleAt ?? report.confirmAt)) {
    return report.date;
  }
  if (at >= report.confirmAt) return report.confirmedDate;
  if (at >= report.redateAt) return report.redate;
  const { index } = report.company;
  const step = Math.floor(context.revisions.lastOf(index, at).round / 8);
  const offset = randomInt(8, context.seed, draws.wander, index, report.cycle, step) - 3;
  return context.days.shift(report.date, offset);
}

/**
 * Returns the consensus from the latest revision of this report. Every revision applies to a
 * company's next report, and every fourth revision also to later reports. Small companies have no
 * consensus two quarters ahead.
 */
function estimateAt(
  context: ViewContext,
  report: Report,
  at: Instant,
  position: { ahead: number; next: boolean },
): Estimate | null {
  const { company, cycle } = report;
  if (position.ahead >= 2 && company.analysts <= 3) return null;
  const last = context.revisions.lastOf(company.index, Math.min(at, report.freezeAt));
  if (position.next) return estimateOf(context.seed, report, last);
  const round = last.round - ((((last.round + cycle) % 4) + 4) % 4);
  const revision = context.revisions.inRound(company.index, round);
  return estimateOf(context.seed, report, revision);
}

/**
 * Returns an estimate that drifts toward the final consensus and nearly reaches it two days before
 * the report.
 */
function estimateOf(seed: number, report: Report, revision: Revision): Estimate {
  const { company, cycle, figures } = report;
  const draw = (kind: number): number =>
    randomUnit(seed, kind, company.index, cycle, revision.round);
  const days = Math.max(0, (report.releaseAt - revision.at) / DAY_MS - 2);
  const distance = Math.min(1, days / 120);
  const drift = 0.1 * randomNormal(seed, draws.drift, company.index, cycle) * distance;
  const wobble = (draw(draws.wobble) - 0.5) * 0.02 * Math.min(1, days / 20);
  // The alternating step makes consecutive revisions differ even if their random draws are almost
  // equal.
  const step = revision.round % 2 === 0 ? 0.0008 : -0.0008;
  const revenueOff = drift * 0.4 + (draw(draws.revenue) - 0.5) * 0.004 + step;
  const missingEarly = distance > 0.5 ? Math.floor(company.analysts / 4) : 0;
  const absent = draw(draws.count) < 0.2 ? 1 : 0;
  return {
    epsCents: Math.round(figures.epsExpectedCents * (1 + drift + wobble)),
    revenue: Math.round((figures.revenueExpected * (1 + revenueOff)) / 1000) * 1000,
    analysts: Math.max(1, company.analysts - missingEarly - absent),
  };
}
