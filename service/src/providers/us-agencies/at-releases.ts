import { clockTime, formatClockTime } from '../../domain/market/clock-time.ts';
import { daily, type Times } from '../../domain/market/due-times.ts';

/** Minutes after a release at which its figure is requested, until it is in. */
const RETRY_MINUTES = [0, 1, 2, 4, 15, 60];
const MISSED_FIGURES_AT = '04:40';

/**
 * Returns times that are due at releases of these New York times, and once at night for figures that
 * were missed. Only figures that are due and missing are requested, so each time after the first is
 * a retry. Agencies also publish on days when the market is closed, such as Good Friday.
 */
export function atReleases(...times: string[]): Times {
  const retries = times.flatMap((time) =>
    RETRY_MINUTES.map((minutes) => formatClockTime(clockTime(time) + minutes)),
  );
  return daily(MISSED_FIGURES_AT, ...new Set(retries));
}
