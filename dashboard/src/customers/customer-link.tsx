import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { AnchorLink } from '../ui/controls/links.tsx';
import { useCustomerInfo } from './use-customer-info.ts';

/** Links to a customer's page by name. Deleted customers have no link. */
export function CustomerLink({ id }: { id: string }): ReactNode {
  const { name, exists } = useCustomerInfo(id);
  if (!exists) {
    return (
      <Text span inherit c="dimmed">
        Deleted (…{id.slice(-6)})
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
