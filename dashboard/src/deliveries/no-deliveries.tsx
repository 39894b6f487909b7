import { Button } from '@mantine/core';
import { IconBellRinging, IconFilterOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from '../ui/page/empty-state.tsx';

/** An empty log: because of the filters, or because nothing was sent yet. */
export function NoDeliveries(props: { isFiltered: boolean; onClear: () => void }): ReactNode {
  if (props.isFiltered) {
    return (
      <EmptyState
        icon={<IconFilterOff size={24} />}
        title="No delivery is like that"
        action={
          <Button size="sm" mt="sm" variant="default" onClick={props.onClear}>
            Clear the filters
          </Button>
        }
      >
        Deliveries are kept for some time, 90 days usually.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<IconBellRinging size={24} />}
      title="Nothing was sent yet"
      action={
        <Button size="sm" mt="sm" component={Link} to="/webhooks">
          To the endpoints
        </Button>
      }
    >
      A delivery is one message to one endpoint about one company. It is opened when something
      changes about a company the endpoint is subscribed to, or when you send a test. Every attempt
      is kept here with what was sent and what was answered.
    </EmptyState>
  );
}
