import type { ReactNode } from 'react';
import type { EarningsRow } from '../../api/reads.gen.ts';
import { Mark } from './mark.tsx';

/** How sure the day of a report is, in a sentence. */
export const DATE_STATUS: Readonly<Record<EarningsRow['dateStatus'], string>> = {
  projected: 'The day is a guess from earlier years or one source; the company has not named it.',
  confirmed: 'The company has named the day.',
  reported: 'Results are out.',
};

/** How sure the day of a report is, in a word. */
export function DateStatus({ status }: { status: EarningsRow['dateStatus'] }): ReactNode {
  return <Mark tone={status === 'confirmed' ? 'good' : 'plain'}>{status}</Mark>;
}
