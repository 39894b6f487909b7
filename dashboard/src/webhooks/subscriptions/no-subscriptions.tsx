import { IconListSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/page/empty-state.tsx';

/** An empty list, in plain words. */
export function NoSubscriptions(): ReactNode {
  return (
    <EmptyState icon={<IconListSearch size={24} />} title="It is told of nothing">
      An empty list means that nothing is sent: not everything. Paste the symbols of the companies
      that matter to you above; each is then told of by itself.
    </EmptyState>
  );
}
