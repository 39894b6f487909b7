import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { AnchorLink } from '../ui/controls/links.tsx';
import { useKnownCustomer } from './use-known-customer.ts';

/** A customer by name, with the way to its page; what was deleted has none. */
export function CustomerLink({ id }: { id: string }): ReactNode {
  const { name, isThere } = useKnownCustomer(id);
  if (!isThere) {
    return (
      <Text span inherit c="dimmed">
        deleted (…{id.slice(-6)})
      </Text>
    );
  }
  return (
    <Text size="sm" truncate maw={{ base: 110, sm: 190 }} title={name} component="div">
      <AnchorLink to="/operator/customers/$customerId" params={{ customerId: id }} inherit>
        {name}
      </AnchorLink>
    </Text>
  );
}
