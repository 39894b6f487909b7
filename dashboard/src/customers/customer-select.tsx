import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useCall } from '../api/use-call.ts';
import { useKnownCustomer } from './use-known-customer.ts';

const CHOICES = 20;

/** One customer among however many: the service looks for what is typed. */
export function CustomerSelect(props: {
  /** What is said while none is chosen. */
  all: string;
  value: string | undefined;
  onChange: (customerId: string | undefined) => void;
}): ReactNode {
  const { all, value, onChange } = props;
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 250);
  const chosen = useKnownCustomer(value ?? '');
  // What is chosen stands in the field; it is no search.
  const isSearch = search !== '' && search !== chosen.name;
  const found = useCall(
    'customers-list',
    { query: { limit: CHOICES, ...(isSearch ? { search } : {}) } },
    { keepsPrevious: true },
  );
  const choices = (found.data?.customers ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const isListed = value === undefined || choices.some((choice) => choice.value === value);
  return (
    <Select
      label="Customer"
      placeholder={all}
      data={isListed ? choices : [...choices, { value, label: chosen.name }]}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      onSearchChange={setTyped}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': all }}
      nothingFoundMessage="No customer is called so"
    />
  );
}
