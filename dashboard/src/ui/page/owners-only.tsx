import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';

/** In place of what members do not see. */
export function OwnersOnly({ children }: { children: ReactNode }): ReactNode {
  return (
    <EmptyState icon={<IconLock size={24} />} title="For owners of the account">
      {children}
    </EmptyState>
  );
}
