/**
 * The status of one area of the service. `bad` means that service is affected now, `warn` that it
 * might be affected soon.
 */
export interface StatusLine {
  name: string;
  tone: 'good' | 'warn' | 'bad' | 'plain';
  text: string;
  /** The page that shows details or a way to fix the problem. */
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

/** Sorts problems first and otherwise keeps the order. */
export function worstFirst(lines: readonly StatusLine[]): StatusLine[] {
  return lines.toSorted((a, b) => ORDER[a.tone] - ORDER[b.tone]);
}

/** Returns a summary such as `All systems operational` or `2 issues need attention`. */
export function statusSummary(lines: readonly StatusLine[]): string {
  const issues = lines.filter(({ tone }) => tone === 'bad' || tone === 'warn').length;
  if (issues === 0) return 'All systems operational';
  return issues === 1 ? '1 issue needs attention' : `${issues} issues need attention`;
}
