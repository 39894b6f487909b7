/** Result of one `afterbell doctor` check. */
export interface Check {
  /** The name shown in the report, such as `store` or `freshness`. */
  check: string;
  /** `skipped` means that the check was impossible or not requested. */
  state: 'ok' | 'warning' | 'broken' | 'skipped';
  message: string;
  /** Null if nothing is wrong. Called `mend` in the JSON output. */
  fix: string | null;
}

export function ok(check: string, message: string): Check {
  return { check, state: 'ok', message, fix: null };
}

export function warning(check: string, message: string, fix: string): Check {
  return { check, state: 'warning', message, fix };
}

export function broken(check: string, message: string, fix: string): Check {
  return { check, state: 'broken', message, fix };
}

export function skipped(check: string, message: string): Check {
  return { check, state: 'skipped', message, fix: null };
}

/** Returns the worst state among the checks, or `ok` if there are no problems. */
export function worstState(checks: readonly Check[]): 'ok' | 'warning' | 'broken' {
  const states = new Set(checks.map(({ state }) => state));
  return states.has('broken') ? 'broken' : states.has('warning') ? 'warning' : 'ok';
}
