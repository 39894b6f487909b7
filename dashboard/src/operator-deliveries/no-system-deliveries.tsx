import { IconBellRinging } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { NoDeliveries } from '../deliveries/no-deliveries.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';

/** Shown when the service-wide delivery log is empty. */
export function NoSystemDeliveries(props: { isFiltered: boolean; onClear: () => void }): ReactNode {
  if (props.isFiltered) return <NoDeliveries {...props} />;
  return (
    <EmptyState icon={<IconBellRinging size={24} />} title="No deliveries yet">
      A delivery is one message to one endpoint of a customer about one company. Deliveries appear
      here when the data of a subscribed company changes, or when a customer sends a test.
    </EmptyState>
  );
}
