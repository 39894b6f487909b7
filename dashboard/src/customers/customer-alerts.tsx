import { Alert, Text } from '@mantine/core';
import { IconBan, IconHandStop } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Account, Key, Person } from '../api/calls.gen.ts';
import { RelativeTime } from '../ui/values/relative-time.tsx';

/**
 * Shows warnings at the top of a customer's page if the customer is suspended or can't use the
 * service yet.
 */
export function CustomerAlerts(props: {
  customer: Account;
  /** Undefined while loading. */
  keys: readonly Key[] | undefined;
  people: readonly Person[] | undefined;
}): ReactNode {
  const { customer, keys, people } = props;
  const isUnused = keys?.length === 0 && people?.length === 0;
  return (
    <>
      {customer.state === 'suspended' && (
        <Alert color="red" variant="light" icon={<IconBan />} title="Suspended">
          <Text size="sm">
            Suspended <RelativeTime at={customer.suspendedAt} />. API keys are rejected with 403
            customer-suspended and webhook deliveries are paused. Members can still sign in.
          </Text>
        </Alert>
      )}
      {isUnused && (
        <Alert variant="light" icon={<IconHandStop />} title="No access yet">
          <Text size="sm">
            Invite an owner, who can create API keys, or create a key here and share it.
          </Text>
        </Alert>
      )}
    </>
  );
}
