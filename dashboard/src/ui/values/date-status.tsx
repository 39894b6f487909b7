import type { ReactNode } from 'react';
import type { EarningsRow } from '@afterbell/sdk';
import { StatusBadge } from './status-badge.tsx';

/** An explanation for each date status. */
export const DATE_STATUS: Readonly<Record<EarningsRow['dateStatus'], string>> = {
  projected:
    'The date is estimated from past reports or a single source, not announced by the company.',
  confirmed: 'The date was announced by the company.',
  reported: 'Results are published.',
};

export function DateStatus({ status }: { status: EarningsRow['dateStatus'] }): ReactNode {
  return <StatusBadge tone={status === 'confirmed' ? 'good' : 'plain'}>{status}</StatusBadge>;
}
