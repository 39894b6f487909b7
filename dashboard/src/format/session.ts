import type { EarningsRow } from '../api/reads.gen.ts';

/** When in the day a company reports, inside a sentence. */
export const SESSION_WORDS: Readonly<Record<EarningsRow['time'], string>> = {
  'time-pre-market': 'before the open',
  'time-after-hours': 'after the close',
  'time-during-market': 'in the session',
  'time-not-supplied': 'time open',
};

/** `Q3 2026`; the company's own quarter and year. */
export function formatQuarter(of: {
  fiscalQuarter: number | null;
  fiscalYear: number | null;
}): string {
  const { fiscalQuarter, fiscalYear } = of;
  const quarter = fiscalQuarter === null ? '' : `Q${fiscalQuarter}`;
  return `${quarter} ${fiscalYear ?? ''}`.trim() || '–';
}
