/** The status of one area of the service. `bad` affects service now, `warn` may do so soon. */
export interface StatusLine {
  name: string;
  tone: 'good' | 'warn' | 'bad' | 'plain';
  text: string;
  /** The page with details or the fix. */
  to: StatusPage;
}

export type StatusPage =
  | '/operator/sources'
  | '/operator/quarantine'
  | '/operator/deliveries'
  | '/operator/market'
  | '/operator/customers'
  | '/operator/system';

const ORDER = { bad: 0, warn: 1, plain: 2, good: 2 } as const;

/** Sorts problems first and keeps the order otherwise. */
export function worstFirst(lines: readonly StatusLine[]): StatusLine[] {
  return lines.toSorted((a, b) => ORDER[a.tone] - ORDER[b.tone]);
}

/** `All systems operational`, `2 issues need attention` */
export function statusSummary(lines: readonly StatusLine[]): string {
  const issues = lines.filter(({ tone }) => tone === 'bad' || tone === 'warn').length;
  if (issues === 0) return 'All systems operational';
  return issues === 1 ? '1 issue needs attention' : `${issues} issues need attention`;
}
