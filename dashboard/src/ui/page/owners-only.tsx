import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';

/** Shown to members in place of content that only owners can see. */
export function OwnersOnly({ children }: { children: ReactNode }): ReactNode {
  return (
    <EmptyState icon={<IconLock size={24} />} title="Only available to owners">
      {children}
    </EmptyState>
  );
}
