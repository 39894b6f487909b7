/** The status of one area of the service. `bad` affects service now, `warn` may do so soon. */
export interface StateLine {
  name: string;
  tone: 'good' | 'warn' | 'bad' | 'plain';
  text: string;
  /** The page with details or the fix. */
  to: StatePlace;
}

export type StatePlace =
  | '/operator/sources'
  | '/operator/quarantine'
  | '/operator/deliveries'
  | '/operator/market'
  | '/operator/customers'
  | '/operator/system';

const ORDER = { bad: 0, warn: 1, plain: 2, good: 2 } as const;

/** Sorts problems first and keeps the order otherwise. */
export function worstFirst(lines: readonly StateLine[]): StateLine[] {
  return lines.toSorted((a, b) => ORDER[a.tone] - ORDER[b.tone]);
}

/** `All systems operational`, `2 issues need attention` */
export function sayLines(lines: readonly StateLine[]): string {
  const troubles = lines.filter(({ tone }) => tone === 'bad' || tone === 'warn').length;
  if (troubles === 0) return 'All systems operational';
  return troubles === 1 ? '1 issue needs attention' : `${troubles} issues need attention`;
}
