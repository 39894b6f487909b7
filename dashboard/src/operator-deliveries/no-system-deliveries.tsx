import { IconBellRinging } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { NoDeliveries } from '../deliveries/no-deliveries.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';

/** An empty log: because of the filters, or because no customer was sent anything. */
export function NoSystemDeliveries(props: { isFiltered: boolean; onClear: () => void }): ReactNode {
  if (props.isFiltered) return <NoDeliveries {...props} />;
  return (
    <EmptyState icon={<IconBellRinging size={24} />} title="Nothing was sent yet">
      A delivery is one message to one endpoint of a customer about one company. It appears here
      when a customer adds an endpoint, subscribes it, and something changes, or when they send a
      test.
    </EmptyState>
  );
}
