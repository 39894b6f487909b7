import { Button } from '@mantine/core';
import { IconBellRinging } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState, NoMatches } from '../ui/page/empty-state.tsx';

/** Shown when the delivery log is empty, with or without filters. */
export function NoDeliveries(props: { isFiltered: boolean; onClear: () => void }): ReactNode {
  if (props.isFiltered) {
    return (
      <NoMatches items="deliveries" onClear={props.onClear}>
        Deliveries are usually kept for 90 days.
      </NoMatches>
    );
  }
  return (
    <EmptyState
      icon={<IconBellRinging size={24} />}
      title="No deliveries yet"
      action={
        <Button size="sm" mt="sm" component={Link} to="/webhooks">
          View endpoints
        </Button>
      }
    >
      A delivery is one message to one endpoint about one company. It is created when the data of a
      subscribed company changes, or when you send a test. Every attempt is logged here with its
      request and response.
    </EmptyState>
  );
}
