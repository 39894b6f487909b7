import { type QuotaPeriod, quotaPeriodOf, quotaPeriods } from '../domain/quota-window.ts';
import type { Clock } from '../platform/clock.ts';
import type { Instant } from '../platform/instant.ts';
import type { Log } from '../platform/log.ts';

/** A larger jump means that the clock was set manually. A smaller jump is a correction. */
const JUMP_MS = 48 * 3_600_000;
/** Maximum number of days that stored counts may be ahead of today without a warning. */
const AHEAD_DAYS_MAX = 2;

/**
 * Determines the quota day and month of each request, and warns if the wall clock jumps ahead.
 *
 * Days and months only move forward. A clock that jumps far ahead opens future windows, and
 * customers stay in these windows after the clock is corrected. Only an operator can reset them.
 */
export class QuotaClock {
  readonly #clock: Clock;
  readonly #log: Pick<Log, 'warn'>;
  readonly #periodOf = quotaPeriods();
  #period: QuotaPeriod | null = null;
  #wallAt: Instant;
  #monotonicMs: number;

  constructor(deps: { clock: Clock; log: Pick<Log, 'warn'> }) {
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#wallAt = deps.clock.now();
    this.#monotonicMs = deps.clock.monotonicMs();
  }

  /**
   * Returns the quota day and month for an instant. Checks for a clock jump whenever they change,
   * because a jump of this size always crosses midnight.
   */
  periodOf(now: Instant): QuotaPeriod {
    const period = this.#periodOf(now);
    if (period !== this.#period) this.#checkForJump(now);
    this.#period = period;
    return period;
  }

  /** Warns if customers have stored counts for future days. */
  warnOfCountsAhead(dayIds: Iterable<number>): void {
    const today = quotaPeriodOf(this.#clock.now()).dayId;
    let customers = 0;
    for (const dayId of dayIds) if (dayId > today + AHEAD_DAYS_MAX) customers += 1;
    if (customers === 0) return;
    this.#log.warn(
      { event: 'quota.counted_ahead', customers },
      'quota counts exist for future days: the wall clock was ahead, or is behind now; to reset ' +
        'these customers to today, run: afterbell quotas reset-ahead',
    );
  }

  #checkForJump(now: Instant): void {
    const monotonicMs = this.#clock.monotonicMs();
    const aheadMs = now - (this.#wallAt + (monotonicMs - this.#monotonicMs));
    this.#wallAt = now;
    this.#monotonicMs = monotonicMs;
    if (aheadMs <= JUMP_MS) return;
    this.#log.warn(
      { event: 'clock.jumped', aheadHours: Math.round(aheadMs / 3_600_000) },
      'the wall clock jumped ahead, and quotas count in its day and month; if it is wrong, ' +
        'correct it and run: afterbell quotas reset-ahead',
    );
  }
}
