import { IconListSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/page/empty-state.tsx';

export function NoSubscriptions(): ReactNode {
  return (
    <EmptyState icon={<IconListSearch size={24} />} title="No subscriptions yet">
      Nothing is sent to an endpoint without subscriptions. Paste the symbols of the companies
      you’re interested in above.
    </EmptyState>
  );
}
