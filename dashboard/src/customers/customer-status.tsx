import type { ReactNode } from 'react';
import type { Account } from '../api/calls.gen.ts';
import { StatusBadge } from '../ui/values/status-badge.tsx';

export function CustomerStatus({ state }: Pick<Account, 'state'>): ReactNode {
  return <StatusBadge tone={state === 'active' ? 'good' : 'bad'}>{state}</StatusBadge>;
}
