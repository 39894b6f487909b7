import { Button } from '@mantine/core';
import { IconBuildings } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState, NoMatches } from '../ui/page/empty-state.tsx';

/** Shown when the customer list is empty, with or without a search. */
export function NoCustomers(props: {
  isSearched: boolean;
  onClear: () => void;
  onCreate: () => void;
}): ReactNode {
  const { isSearched, onClear, onCreate } = props;
  if (isSearched) {
    return <NoMatches items="customers" onClear={onClear} />;
  }
  return (
    <EmptyState
      icon={<IconBuildings size={24} />}
      title="No customers yet"
      action={
        <Button size="sm" mt="sm" onClick={onCreate}>
          Create customer
        </Button>
      }
    >
      A customer has a plan, and all its API keys share the plan’s quotas. Usage, webhooks and
      members belong to one customer and are isolated from others.
    </EmptyState>
  );
}
