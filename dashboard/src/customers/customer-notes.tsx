import { Alert, Text } from '@mantine/core';
import { IconBan, IconHandStop } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Account, Key, Person } from '../api/calls.gen.ts';
import { Moment } from '../ui/values/moment.tsx';

/** What stands above everything else of a customer: that it is suspended, or that nobody can use it. */
export function CustomerNotes(props: {
  of: Account;
  /** Undefined while they are asked for. */
  keys: readonly Key[] | undefined;
  people: readonly Person[] | undefined;
}): ReactNode {
  const { of: customer, keys, people } = props;
  const isUnused = keys?.length === 0 && people?.length === 0;
  return (
    <>
      {customer.state === 'suspended' && (
        <Alert color="red" variant="light" icon={<IconBan />} title="Suspended">
          <Text size="sm">
            It was suspended <Moment at={customer.suspendedAt} />. Its keys are refused with 403
            customer-suspended; webhooks wait, and go out when it is resumed. People can still sign
            in.
          </Text>
        </Alert>
      )}
      {isUnused && (
        <Alert variant="light" icon={<IconHandStop />} title="Nobody can use it yet">
          <Text size="sm">
            Invite its owner, who makes keys by themselves, or make a key here and hand it over.
            Either is enough.
          </Text>
        </Alert>
      )}
    </>
  );
}
