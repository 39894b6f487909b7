import { findExposures } from '../config/exposures.ts';
import type { AppOptions } from './context.ts';

/** In production, the service does not start with these settings. */
export function warnOfExposures({ settings, log }: Pick<AppOptions, 'settings' | 'log'>): void {
  for (const { problem, fix } of findExposures(settings)) {
    log.warn({ event: 'setting.missing', fix }, problem);
  }
}
