import type { ReactNode } from 'react';
import type { Account } from '../api/calls.gen.ts';
import { Mark } from '../ui/values/mark.tsx';

export function CustomerStatus({ state }: Pick<Account, 'state'>): ReactNode {
  return <Mark tone={state === 'active' ? 'good' : 'bad'}>{state}</Mark>;
}
