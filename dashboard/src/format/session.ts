import type { EarningsRow } from '@afterbell/sdk';

/** The session of a report, worded for use in a sentence. */
export const SESSION_WORDS: Readonly<Record<EarningsRow['time'], string>> = {
  'time-pre-market': 'before open',
  'time-after-hours': 'after close',
  'time-during-market': 'during the session',
  'time-not-supplied': 'time unknown',
};

/** Formats a quarter in the company's fiscal calendar as `Q3 2026`. */
export function formatQuarter(period: {
  fiscalQuarter: number | null;
  fiscalYear: number | null;
}): string {
  const { fiscalQuarter, fiscalYear } = period;
  const quarter = fiscalQuarter === null ? '' : `Q${fiscalQuarter}`;
  return `${quarter} ${fiscalYear ?? ''}`.trim() || '–';
}
