import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';

/** Shown to members instead of owner-only content. */
export function OwnersOnly({ children }: { children: ReactNode }): ReactNode {
  return (
    <EmptyState icon={<IconLock size={24} />} title="Only available to owners">
      {children}
    </EmptyState>
  );
}
