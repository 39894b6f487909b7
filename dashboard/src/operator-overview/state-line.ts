/** How one concern of the service stands; `bad` stops something now, `warn` may soon. */
export interface StateLine {
  name: string;
  tone: 'good' | 'warn' | 'bad' | 'plain';
  text: string;
  /** Where more is seen, or where it can be mended. */
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

/** What needs attention stands first; the rest keeps its order. */
export function worstFirst(lines: readonly StateLine[]): StateLine[] {
  return lines.toSorted((a, b) => ORDER[a.tone] - ORDER[b.tone]);
}

/** `Everything is well.`, `2 things need attention.` */
export function sayLines(lines: readonly StateLine[]): string {
  const troubles = lines.filter(({ tone }) => tone === 'bad' || tone === 'warn').length;
  if (troubles === 0) return 'Everything is well.';
  return troubles === 1 ? 'One thing needs attention.' : `${troubles} things need attention.`;
}
