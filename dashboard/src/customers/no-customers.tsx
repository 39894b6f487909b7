import { Button } from '@mantine/core';
import { IconBuildings, IconFilterOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../ui/page/empty-state.tsx';

/** No customer: because of the search, or because none was added yet. */
export function NoCustomers(props: {
  isSearched: boolean;
  onClear: () => void;
  onMake: () => void;
}): ReactNode {
  const { isSearched, onClear, onMake } = props;
  if (isSearched) {
    return (
      <EmptyState
        icon={<IconFilterOff size={24} />}
        title="No customer is called so"
        action={
          <Button size="sm" mt="sm" variant="default" onClick={onClear}>
            Show all
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={<IconBuildings size={24} />}
      title="No customer yet"
      action={
        <Button size="sm" mt="sm" onClick={onMake}>
          Add the first
        </Button>
      }
    >
      A customer has a plan, and shares its quotas among all its keys. Usage, webhooks and people
      belong to one; no customer sees another.
    </EmptyState>
  );
}
