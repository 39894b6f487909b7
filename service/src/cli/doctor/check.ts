/** What the doctor found at one place. */
export interface Check {
  /** Names the place in the report: `store`, `freshness`. */
  check: string;
  /** `skipped`: it could not be looked at, or was not to be. */
  state: 'ok' | 'warning' | 'broken' | 'skipped';
  message: string;
  /** What to do about it; null when nothing is wrong. */
  mend: string | null;
}

export function ok(check: string, message: string): Check {
  return { check, state: 'ok', message, mend: null };
}

export function warning(check: string, message: string, mend: string): Check {
  return { check, state: 'warning', message, mend };
}

export function broken(check: string, message: string, mend: string): Check {
  return { check, state: 'broken', message, mend };
}

export function skipped(check: string, message: string): Check {
  return { check, state: 'skipped', message, mend: null };
}

/** The worst of all, `ok` when nothing is wrong. */
export function worst(checks: readonly Check[]): 'ok' | 'warning' | 'broken' {
  const states = new Set(checks.map(({ state }) => state));
  return states.has('broken') ? 'broken' : states.has('warning') ? 'warning' : 'ok';
}
